/** Every command and program of the guides that speaks to the REST and Status APIs, run as it is printed. */
import { describe, expect, test } from 'vitest'
import { commandSnippets } from '../../app/docs/guides/guide-codes.server.ts'
import { parseCurl } from '../../app/shared/snippets/parse-curl.ts'
import * as client from '../../clients/typescript/src/client.ts'
import { basePaths } from '../../server/contract/rest/openapi.ts'
import { restStack } from '../support/rest.ts'
import { expectSample, runCommand } from '../support/sample-responses.ts'
import { slice } from '../support/slice.ts'
import { missingIn, unrun } from '../support/snippet-literals.ts'
import { commandsOf, runTypeScript, type Snippet, snippets } from '../support/snippets.ts'

const origin = 'https://portal.example'
const base = `${origin}${basePaths.sandbox}`
const words = [[origin, 'REST_ORIGIN']] as const
const ofRest = snippets.filter(({ stage }) => ['rest', 'write', 'client', 'status'].includes(stage))
const commands = ofRest.filter(({ language }) => language === 'sh')
const programs = ofRest.filter(({ language }) => language === 'ts')

const keys: Record<string, string> = {}

const stack = await restStack()
keys.write = (await stack.issueWriter()).key
keys.rest = (await stack.issueKey({})).key
keys.client = keys.rest
keys.status = ''

const fetch = async (input: string | Request, init?: RequestInit) =>
  stack.app.fetch(new Request(input, init), { incoming: { socket: { remoteAddress: '192.0.2.1' } } })

const variablesOf = ({ stage }: Snippet) => ({ BASE: base, SVC_KEY: keys[stage] ?? '' })
const placed = ({ code }: Snippet) => code.replaceAll('REST_ORIGIN', origin)
const named = (snippet: Snippet) => [`${snippet.guide}: ${snippet.code.split('\n')[0]}`, snippet] as const

test.each(commands.map(named))('%s', async (_name, snippet) => {
  // The status API counts by address.
  if (snippet.stage === 'status') stack.services.advance(60_000)

  const answer = await runCommand(stack.app, placed(snippet), variablesOf(snippet))

  expect(answer.text).toContain(snippet.expected)
  expect(answer.status).toBe(snippet.status)
  expectSample(
    { file: snippet.guide, command: snippet.code, commands: commandsOf(snippet.guide), words },
    answer,
  )
})

test.each(programs.map(named))('%s', async (_name, snippet) => {
  if (snippet.stage === 'status') stack.services.advance(60_000)
  const said = await runTypeScript(placed(snippet), {
    variables: variablesOf(snippet),
    fetch,
    wait: async (seconds) => stack.services.advance(seconds * 1000),
    modules: {
      '@sandpiper-portal/client': {
        ...client,
        createSandpiperClient: (options: client.SandpiperOptions) =>
          client.createSandpiperClient({ ...options, fetch }),
      },
    },
  })

  expect(said).toContain(snippet.expected)
})

describe('commands in other languages', () => {
  const addresses = { portal: origin, rest: origin, fhir: origin }
  const inOthers = commands.filter(({ stage }) => stage !== 'client')

  test.each(slice(inOthers, 6).map(named))('%s', async (_name, snippet) => {
    const shown = placed(snippet)
    const others = commandSnippets(shown, addresses)
    const codeOf = (language: string) => others.find((each) => each.language === language)?.code ?? ''
    const { method, url, headers, body } = parseCurl(shown, { BASE: base, SVC_KEY: '$SVC_KEY' })
    const call = { method, url, headers: [...headers].map(([name, value]) => ({ name, value })), body }

    // The status API counts by address, and the commands have been asked a moment ago.
    stack.services.advance(60_000)
    for (const language of unrun) expect(missingIn(language, codeOf(language), call), language).toEqual([])
    const said = await runTypeScript(codeOf('typescript'), {
      variables: variablesOf(snippet),
      fetch,
      wait: async () => {},
    })

    // A write makes another of its kind, as the command would.
    expect(said).toContain(snippet.expected)
    expect(said).toMatch(new RegExp(`^${snippet.status} `))
  })
})

test('the error that the guide to errors shows is the one that a read-only key gets', async () => {
  const [shown] = snippets.filter(({ guide, language }) => guide === 'errors' && language === 'json')
  const headers = { authorization: `Bearer ${keys.rest}`, 'content-type': 'application/json' }
  const answer = await (await fetch(`${base}/patients`, { method: 'POST', headers, body: '{}' })).json()

  const { correlationId } = JSON.parse(shown?.code ?? '{}').error
  expect({ error: { ...answer.error, correlationId } }).toEqual(JSON.parse(shown?.code ?? ''))
})
