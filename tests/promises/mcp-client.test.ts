/** The MCP server as the protocol's own client meets it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { mcpToolNames, mcpTools } from '../../server/contract/mcp-tools.ts'
import { connect } from '../support/mcp.ts'
import { type RestStack, restStack } from '../support/rest.ts'

let stack: RestStack

beforeAll(async () => {
  stack = await restStack()
})

describe('a client of the protocol', () => {
  test('connects with a key and lists the tools that read', async () => {
    const { key } = await stack.issueKey()

    const client = await connect(stack, key)
    const { tools } = await client.listTools()

    expect(client.getServerVersion()).toMatchObject({ name: 'sandpiper' })
    const reading = mcpToolNames.filter((name) => !mcpTools[name].writes)
    expect(tools.map(({ name }) => name)).toEqual(reading)
  })
})
