/** A reset is a flip: who calls meanwhile is answered out of the old data or the new, whole either way. */
import { expect, test } from 'vitest'
import { callTool } from '../support/mcp.ts'
import { restStack } from '../support/rest.ts'
import { createLabs, type Lab } from '../support/sandbox-lab.ts'

const wren = 'pt-wren-testwell'
const { makeLab, fhir, writePatient } = createLabs(() => stack)

const stack = await restStack()

/**
 * Every reset and restore gives all resources one time of change of its own, so that two of them in one answer show
 * two datasets.
 */
function stampsIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\\?"lastUpdated\\?":\\?"([^"\\]+)/g)].flatMap(([, stamp]) => stamp ?? []))
}

const nextOf = (body: { link?: { relation: string; url: string }[] }) =>
  body.link?.find(({ relation }) => relation === 'next')?.url

/** One request, or one walk over pages, of everybody who calls while the data is replaced. */
type Traffic = Readonly<Record<string, (lab: Lab, token: string) => Promise<string[]>>>

const traffic: Traffic = {
  'FHIR search, page by page': async ({ slug }, token) => {
    const stamps: string[] = []
    let at: string | undefined = `Observation?patient=${wren}&category=laboratory&_count=60`
    while (at !== undefined) {
      const { status, body, text } = await fhir(slug, at, token)
      if (status === 400 && stamps.length > 0) {
        expect(body.issue[0].diagnostics).toBe(
          'This link to the next page is invalid or has expired. Start again with the first page.',
        )
        return stamps
      }
      expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
      // Pages that are linked are pages of the same data.
      stamps.push(oneStampOf(text))
      expect(new Set(stamps).size).toBe(1)
      at = nextOf(body)
    }
    return stamps.slice(0, 1)
  },
  'FHIR read': async ({ slug }, token) => [await served(fhir(slug, `Patient/${wren}`, token))],
  'FHIR search by medication': async ({ slug }, token) => [
    await served(
      fhir(
        slug,
        `MedicationRequest?patient=${wren}&_include=MedicationRequest:medication&_revinclude=Provenance:target`,
        token,
      ),
    ),
  ],
  $everything: async ({ slug }, token) => [
    await served(fhir(slug, `Patient/${wren}/$everything?_count=500`, token)),
  ],
  'the CCD at FHIR': async ({ slug }, token) => {
    const { status, text } = await fhir(slug, `Patient/${wren}/$ccda`, token)
    expect({ status, ends: text.trimEnd().endsWith('</ClinicalDocument>') }).toEqual({
      status: 200,
      ends: true,
    })
    return []
  },
  'REST list': async ({ key }) => [await served(stack.call('/patients?limit=100', { key }))],
  'REST read': async ({ key }) => [await served(stack.call(`/patients/${wren}`, { key }))],
  'REST practitioners': async ({ key }) => {
    expect((await stack.call('/practitioners', { key })).status).toBe(200)
    return []
  },
  'REST write': async (lab) => {
    await writePatient(lab)
    return []
  },
  'the CCD at REST': async ({ key }) => {
    const { status, text } = await stack.call(`/patients/${wren}/ccda`, { key })
    expect({ status, ends: text.trimEnd().endsWith('</ClinicalDocument>') }).toEqual({
      status: 200,
      ends: true,
    })
    return []
  },
  'MCP summary': async ({ key }) => {
    const { status, result } = await callTool(stack, 'get_patient_summary', { patientId: wren }, { key })
    expect({ status, error: result.isError ?? false }).toEqual({ status: 200, error: false })
    return []
  },
}

async function served(asked: Promise<{ status: number; text: string }>): Promise<string> {
  const { status, text } = await asked
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
  return oneStampOf(text)
}

/** What was written meanwhile has a later time of its own, and is told by its name. */
function oneStampOf(text: string): string {
  const stamps = stampsIn(withoutWritten(text))
  expect([...stamps]).toHaveLength(1)
  return [...stamps][0] ?? ''
}

/** Patients of the traffic, out of a list or a bundle. */
function withoutWritten(text: string): string {
  if (!text.includes('Zzyzxwell')) return text
  const body = JSON.parse(text) as { data: { name: { family: string } }[] }
  return JSON.stringify(body.data.filter(({ name }) => name.family !== 'Zzyzxwell'))
}

test('a reset during traffic: every request sees the old or the new data, never a mix, and none fails', async () => {
  const lab = await makeLab()
  await lab.change('reset')
  await lab.change('save')
  const token = await lab.systemToken()
  const seen = new Set<string>()
  const rounds: Record<string, number> = {}
  let over = false

  const calling = Object.entries(traffic).map(async ([name, call]) => {
    for (rounds[name] = 0; !over; rounds[name] += 1) {
      // So that nobody meets a limit.
      stack.services.advance(100)
      for (const stamp of await call(lab, token)) seen.add(stamp)
    }
  })
  const everybodyCalled = async () => {
    const before = { ...rounds }
    while (Object.entries(rounds).some(([name, count]) => count < (before[name] ?? 0) + 1))
      await Promise.race([new Promise((resolve) => setImmediate(resolve)), ...calling])
  }
  const replacing = (async () => {
    const old: number[] = []
    for (const kind of ['reset', 'restore'] as const) {
      await everybodyCalled()
      old.push(await lab.datasetId())
      expect((await lab.change(kind)).state).toBe('done')
      // What was replaced before that one has had its time.
      const gone = old.at(-2)
      if (gone !== undefined) await stack.services.practiceData.deleteDataset(gone)
    }
    await everybodyCalled()
  })().finally(() => {
    over = true
  })
  await Promise.all([...calling, replacing])

  // The data before the first and after each of the two.
  expect(seen.size).toBe(3)
})

test('a page of a search is no page of other data: its link ends with a 400 that says to begin again', async () => {
  const lab = await makeLab()
  const token = await lab.systemToken()
  const search = await fhir(lab.slug, `Observation?patient=${wren}&_count=5`, token)
  const chart = await fhir(lab.slug, `Patient/${wren}/$everything?_count=5`, token)
  const tool = await callTool(stack, 'search_observations', { patientId: wren, limit: 5 }, { key: lab.key })
  const rest = await stack.call('/patients?limit=5&offset=5', { key: lab.key })

  await lab.change('reset')

  for (const { body } of [search, chart]) {
    const answer = await fhir(lab.slug, nextOf(body) ?? '', token)
    expect(answer.status).toBe(400)
    expect(answer.body.issue[0].diagnostics).toContain('Start again with the first page.')
  }
  const { nextCursor: cursor } = tool.result.structuredContent.page
  const further = await callTool(
    stack,
    'search_observations',
    { patientId: wren, limit: 5, cursor },
    { key: lab.key },
  )
  expect(further.result.isError).toBe(true)
  expect(further.result.content[0].text).toContain('Start again with the first page.')
  // Pages by offset hold nothing open: the same page of the new data, whose people have the same ids and order.
  const again = await stack.call('/patients?limit=5&offset=5', { key: lab.key })
  const ids = (answer: typeof rest) => answer.body.data.map(({ id }: { id: string }) => id)
  expect(again.status).toBe(200)
  expect(ids(again)).toEqual(ids(rest))
})

test('a document that has begun ends on the data that it began with, and a revoked key ends it', async () => {
  const lab = await makeLab()
  const { prisma, ccd, clock } = stack.services
  const { version } = await prisma.apiKey.findUniqueOrThrow({ where: { id: lab.keyId } })
  const datasetId = await lab.datasetId()
  const practice = { slug: lab.slug, name: lab.slug, datasetId }
  const liveness = {
    kind: 'api_key',
    keyId: lab.keyId,
    keyVersion: version,
    practiceId: lab.practiceId,
    datasetId,
    now: clock(),
  } as const
  const [first, second] = await Promise.all([1, 2].map(() => ccd.open(practice, wren, liveness)))
  const whole = await first?.ccd?.xml()
  const cut = await second?.ccd?.xml()
  let text = (await whole?.next())?.value ?? ''
  await cut?.next()

  await lab.change('reset')
  for await (const piece of whole ?? []) text += piece
  await prisma.apiKey.update({ where: { id: lab.keyId }, data: { revokedAt: clock() } })

  expect(text.trimEnd()).toMatch(/<\/ClinicalDocument>$/)
  // Nothing begins on data that was replaced.
  expect((await ccd.open(practice, wren, liveness)).alive).toBe(false)
  await expect(drain(cut)).rejects.toMatchObject({ kind: 'unavailable' })
})

async function drain(pieces: AsyncIterable<string> | undefined): Promise<void> {
  for await (const _ of pieces ?? []);
}

test('keys, tokens and what was agreed survive; what was written is gone and comes back with the snapshot', async () => {
  const lab = await makeLab()
  const token = await lab.systemToken()
  const written = await writePatient(lab)
  const people = async () => {
    const list = await stack.call(`/patients?mrn=${written.mrn}`, { key: lab.key })
    const read = await fhir(lab.slug, `Patient/${written.id}`, token)
    return [list.status, list.body.data.length, read.status]
  }
  await lab.change('save')

  expect(await people()).toEqual([200, 1, 200])
  await lab.change('reset')
  expect(await people()).toEqual([200, 0, 404])
  await lab.change('restore')
  expect(await people()).toEqual([200, 1, 200])
})
