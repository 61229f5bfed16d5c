import { expect, test } from 'vitest'
import { keyVariable, mcpClients } from './mcp-clients.ts'

const url = 'https://portal.example/sandbox/api/v1/mcp'

test.each(mcpClients(url))(
  '$name is told the address and the name of the variable, never a key',
  ({ file, text }) => {
    expect(text).toContain(url)
    expect(text).toContain(keyVariable)
    expect(text).not.toMatch(/svc_/)
    if (file.includes('.json')) expect(() => JSON.parse(text)).not.toThrow()
  },
)
