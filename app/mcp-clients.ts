/** How common clients are told of the MCP server. Each reads the key from the environment; none of it is a secret. */
export type McpClient = Readonly<{
  id: string
  name: string
  /** Where the text goes. */
  file: string
  text: string
  /** What else has to be known. */
  note: string
}>

export const keyVariable = 'SANDPIPER_API_KEY'

const json = (value: object) => JSON.stringify(value, null, 2)

/** @param url of the MCP server */
export function mcpClients(url: string): readonly McpClient[] {
  const bearer = (variable: string) => ({ Authorization: `Bearer ${variable}` })
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      file: '.mcp.json in the project',
      text: json({
        mcpServers: { sandpiper: { type: 'http', url, headers: bearer(`\${${keyVariable}}`) } },
      }),
      note: 'Started from a shell that has the variable. /mcp shows whether it is connected.',
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      file: '.vscode/mcp.json in the project',
      text: json({
        servers: { sandpiper: { type: 'http', url, headers: bearer(`\${env:${keyVariable}}`) } },
      }),
      note: 'Started from a shell that has the variable. “MCP: List Servers” starts and stops it.',
    },
    {
      id: 'cursor',
      name: 'Cursor',
      file: '.cursor/mcp.json in the project',
      text: json({ mcpServers: { sandpiper: { url, headers: bearer(`\${env:${keyVariable}}`) } } }),
      note: 'Reload the window after the variable has changed.',
    },
    {
      id: 'codex',
      name: 'Codex',
      file: '~/.codex/config.toml',
      text: `[mcp_servers.sandpiper]\nurl = "${url}"\nbearer_token_env_var = "${keyVariable}"`,
      note: 'The file names the variable, never the key.',
    },
    {
      id: 'gemini-cli',
      name: 'Gemini CLI',
      file: '.gemini/settings.json in the project',
      text: json({ mcpServers: { sandpiper: { httpUrl: url, headers: bearer(`$${keyVariable}`) } } }),
      note: '/mcp shows the tools.',
    },
    {
      id: 'terminal',
      name: 'Any terminal',
      file: 'one message, without a client',
      text: [
        `curl ${url} \\`,
        `  -H "Authorization: Bearer $${keyVariable}" \\`,
        '  -H "Content-Type: application/json" \\',
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
      ].join('\n'),
      note: 'There are no sessions: every message stands alone.',
    },
  ]
}
