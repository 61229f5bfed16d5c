/** A sandbox of a developer organization that may be written to: its people, keys, tokens, and what resets it. */
import { randomUUID } from 'node:crypto'
import { jsonOf } from '../../server/contract/http/answer-head.ts'
import type { SandboxChangeKind } from '../../server/contract/lab/sandbox-changes.ts'
import { createKeyOwners } from './key-owners.ts'
import type { CallOptions, RestAnswer, RestStack } from './rest.ts'
import { smartSupport } from './smart.ts'
import { createTeams } from './team.ts'

export type Lab = Awaited<ReturnType<ReturnType<typeof createLabs>['makeLab']>>

/** @param stack asked for when needed: tests make it before they run */
export function createLabs(stack: () => RestStack) {
  const services = () => stack().services
  const teams = createTeams(services)
  const keys = createKeyOwners(stack, teams)

  async function makeLab() {
    const { organizationId, owner, key, id: keyId, practiceId } = await keys.ownedKey({ level: 'full' })
    const { prisma } = services()
    const { slug } = await prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })
    const lab = { organizationId, owner, key, keyId, practiceId, slug }

    const datasetId = async () =>
      (await prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })).datasetId

    /** Asks for a change and carries it out, as the button and the worker do. */
    async function change(kind: SandboxChangeKind, requestId = randomUUID()) {
      const { id } = await services().sandbox.changes.ask({ organizationId, requestId, kind }, owner.actor)
      await services().sandbox.runs.run(id)
      return prisma.sandboxChange.findUniqueOrThrow({ where: { id } })
    }

    /** A token of a backend system that the practice has let in. */
    async function systemToken(scope = 'system/*.rs'): Promise<string> {
      const smart = smartSupport(services())
      const { client } = await smart.createClient({ scope, organizationId })
      await services().ownSandboxSystems.allow(client.clientId, owner.actor)
      return (await smart.issueToken({ practice: slug, scope, client })).access_token
    }

    return { ...lab, datasetId, change, systemToken }
  }

  /** A GET at the FHIR API: below the base of the lab's practice, or an absolute URL such as a next link. */
  async function fhir(slug: string, path: string, token: string): Promise<RestAnswer> {
    const url = /^https?:/.test(path) ? path : `https://elsewhere.example/r4/${slug}/${path}`
    const request = new Request(url, { headers: { authorization: `Bearer ${token}` } })
    const answer = await stack().app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: jsonOf(text) }
  }

  /** A patient written by REST, whom no seed has. */
  async function writePatient(lab: Pick<Lab, 'key'>, family = 'Zzyzxwell', more: CallOptions = {}) {
    const mrn = `SYN-${randomUUID().slice(0, 8)}`
    const answer = await stack().post(
      '/patients',
      { mrn, name: { family, given: ['Wren'] }, birthDate: '1984-09-21', sex: 'female' },
      { key: lab.key, ...more },
    )
    if (answer.status !== 201) throw new Error(`not written: ${answer.text}`)
    return answer.body as { id: string; mrn: string }
  }

  return { makeLab, fhir, writePatient, teams }
}
