"""Evidence from MCP servers over stdio: configuration, supervised processes, declared mappings."""

from .config import McpConfig, find_config, parse_config, read_config, sample_config
from .faults import MappingError, McpConfigError
from .mapping import ResultMapping, mapping_files, mapping_schema, read_mapping, read_mappings
from .source import McpSource, McpSources, open_sources

__all__ = [
    "MappingError",
    "McpConfig",
    "McpConfigError",
    "McpSource",
    "McpSources",
    "ResultMapping",
    "find_config",
    "mapping_files",
    "mapping_schema",
    "open_sources",
    "parse_config",
    "read_config",
    "read_mapping",
    "read_mappings",
    "sample_config",
]
