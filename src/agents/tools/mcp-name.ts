/**
 * Names of MCP tools, as Claude Code, Codex and Gemini CLI make them: `mcp__server__tool`, `mcp_server_tool`.
 *
 *   mcpName('mcp__desktop__execute_command')   // 'execute_command'
 */
export function isMcpTool(name: string): boolean {
  return name.startsWith('mcp_')
}

/** The tool's own name, as far as one can tell where the server's ends. */
export function mcpName(name: string): string {
  return name.split('__').at(-1) || name
}

/** Claude's names have `_` for the characters of a server's name that are not allowed there. */
export function isOfServer(name: string, server: string): boolean {
  return name.startsWith(`mcp__${server.replaceAll(/[^\w-]/g, '_')}__`)
}
