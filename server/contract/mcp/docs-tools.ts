/**
 * The MCP server of the documentation, `POST /docs/mcp`: no key, text in and out. Its tools answer Markdown, as the
 * pages' own Markdown is what an assistant reads best.
 */
import { z } from 'zod'
import { limits } from '../http/limits.ts'
import { annotationsOf, toSchema } from './list.ts'
import { countInput } from './records.ts'

export const docsMcpPath = '/docs/mcp'
/** Where the portal hands its pages to this server, inside the process. */
export const docsSourcePath = '/docs/mcp-source'

export const docsTools = {
  search_docs: {
    title: 'Search the documentation',
    description:
      'Finds sections of guides, REST operations, FHIR types and search parameters, scopes and error codes. Takes a question or a few words. Each result has an address; read_doc reads those below /docs.',
    input: z.strictObject({
      query: z
        .string()
        .min(1)
        .max(limits.searchTextMax)
        .meta({ description: 'A question or a few words, such as "refresh a token".' }),
      limit: countInput(1, limits.docsResultsMax, limits.docsResultsDefault, 'Results at most.'),
    }),
  },
  read_doc: {
    title: 'Read a page of the documentation',
    description:
      'Reads a page as Markdown. Takes an address from search_docs or resources/list. A long page comes in parts.',
    input: z.strictObject({
      page: z
        .string()
        .min(1)
        .max(300)
        .meta({ description: 'Address of the page, such as /docs/limits.', examples: ['/docs/limits'] }),
      offset: countInput(
        0,
        10_000_000,
        0,
        'Characters to skip; the end of a part says where the next begins.',
      ),
      maxCharacters: countInput(1_000, limits.mcpTextMax, limits.mcpTextDefault, 'Characters at most.'),
    }),
  },
} as const

type DocsToolName = keyof typeof docsTools

export const isDocsTool = (name: string): name is DocsToolName => Object.hasOwn(docsTools, name)

/** As `tools/list` shows them. */
export const listedDocsTools = Object.entries(docsTools).map(([name, { title, description, input }]) => ({
  name,
  title,
  description,
  inputSchema: toSchema(input, 'input'),
  annotations: annotationsOf({ title }),
}))

export const docsMcpInstructions =
  'The documentation of Sandpiper: a FHIR R4 API, SMART App Launch, Bulk Data, a REST API and a status API, with a sandbox of synthetic people. Begin with search_docs, then read_doc. The records themselves are at another MCP server, which needs an API key: read /docs/mcp.'
