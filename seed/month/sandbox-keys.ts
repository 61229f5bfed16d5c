/** Requests for sandbox keys in every state that lasts, and what becomes of the keys. */
import type { Days } from './days.ts'
import { type OrganizationId, organizations, type Who } from './people.ts'
import type { Scene, Step } from './scene.ts'

type KeyRow = Readonly<{ of: OrganizationId; name: string; project: string; by?: Who }>

/** The steps of one key. All are read-only: each organization with a writable one has a sandbox of its own to copy. */
function story({ of, name, project, by = organizations[of].owner }: KeyRow) {
  const steps: Step[] = []
  const add = (at: Date, event: string, act: Step['act']) => {
    steps.push({ at, name: `${name} ${event} ${steps.length}`, act })
    return self
  }
  const idOf = async (scene: Scene) => (await scene.keyRequest(name)).id
  const keyOf = (scene: Scene) =>
    scene.prisma.apiKey.findFirstOrThrow({ where: { name, revokedAt: null, rotatedAt: null } })
  const self = {
    steps,
    request: (at: Date) =>
      add(at, 'request', async (scene) => {
        const { version, sha256 } = scene.agreementTexts.get('sandbox-terms')
        const { requestId } = await scene.keys.requestSandboxKey(
          {
            organizationId: await scene.organizationId(of),
            name,
            projectDescription: project,
            technicalContact: `support@${organizations[of].domain}`,
            level: 'read_only',
            termsVersion: version,
            termsSha256: sha256,
            idempotencyKey: scene.key(),
          },
          await scene.actor(by),
        )
        await scene.keys.provision(requestId)
      }),
    reveal: (at: Date) =>
      add(at, 'reveal', async (scene) => {
        const outcome = await scene.keys.reveal({ requestId: await idOf(scene) }, await scene.actor(by))
        if (outcome.kind !== 'revealed' && outcome.kind !== 'used')
          throw new Error(`${name}: ${outcome.kind}`)
      }),
    revoke: (at: Date, reason: string) =>
      add(at, 'revoke', async (scene) => {
        const { id: keyId } = await keyOf(scene)
        await scene.keys.revoke({ keyId, reason }, await scene.actor(by))
      }),
    rotate: (at: Date) =>
      add(at, 'rotate', async (scene) => {
        const { id: keyId } = await keyOf(scene)
        await scene.keys.rotate({ keyId, graceHours: 168 }, await scene.actor(by))
      }),
    /** Somebody found it in a public repository. */
    leak: (at: Date) =>
      add(at, 'leak', async (scene) => {
        const { secretHash } = await keyOf(scene)
        const context = { ip: '203.0.113.99', userAgent: 'Demonstration', correlationId: crypto.randomUUID() }
        await scene.keys.reportLeak({ hash: Buffer.from(secretHash).toString('hex') }, context)
      }),
    decide: (at: Date, decision: Parameters<Scene['keys']['decide']>[0]['decision'], reviewer: Who) =>
      add(at, decision.kind, async (scene) => {
        const { id: requestId, version } = await scene.keyRequest(name)
        await scene.keys.decide({ requestId, version, decision }, await scene.actor(reviewer))
        await scene.keys.provision(requestId)
      }),
  }
  return self
}

/** Keys that are called all month; see calls.ts. */
export const calledKeys = ['Chart sync', 'Nightly import', 'Reminder prototype', 'Measures notebook'] as const

export function sandboxKeySteps(days: Days): Step[] {
  return [...larkfield(days), ...brightmeadow(days), ...quillhaven(days)].flatMap(({ steps }) => steps)
}

function larkfield(days: Days) {
  const of = 'larkfield'
  return [
    story({ of, name: 'Chart sync', project: 'Keeps the charts of our own test clinic in step with ours.' })
      .request(days.back(33, '10:05'))
      .reveal(days.back(33, '10:09')),
    story({
      of,
      name: 'Nightly import',
      project: 'Reads what changed during the day, every night, into our staging system.',
    })
      .request(days.back(31, '14:30'))
      .reveal(days.back(31, '14:41')),
    story({
      of,
      name: 'First try',
      project: 'A first look at the API, from a laptop.',
      by: 'milo',
    })
      .request(days.back(34, '09:00'))
      .reveal(days.back(34, '09:02'))
      .revoke(days.back(27, '16:00'), 'Replaced by the key of the import.'),
  ]
}

function brightmeadow(days: Days) {
  const of = 'brightmeadow'
  return [
    story({ of, name: 'Reminder prototype', project: 'Finds visits of the next week and writes reminders.' })
      .request(days.back(30, '11:20'))
      .reveal(days.back(30, '11:24')),
    story({
      of,
      name: 'Check-in prototype',
      project: 'A kiosk that reads demographics and coverage.',
    }).request(days.back(1, '15:10')),
    story({
      of,
      name: 'Survey',
      project: 'Asks patients how their visit was; nobody claimed this key.',
    }).request(days.back(12, '10:00')),
  ]
}

function quillhaven(days: Days) {
  const of = 'quillhaven'
  return [
    story({
      of,
      name: 'Measures notebook',
      project: 'Computes quality measures in a notebook, on synthetic people.',
    })
      .request(days.back(32, '13:00'))
      .reveal(days.back(32, '13:03')),
    story({ of, name: 'Shared script', project: 'A script that the team shares for quick looks.' })
      .request(days.back(29, '09:30'))
      .reveal(days.back(29, '09:33'))
      .leak(days.back(11, '18:20')),
    story({
      of,
      name: 'Vendor test',
      project: 'We want to load production data of a customer to compare the results.',
    })
      .request(days.back(26, '10:00'))
      .decide(
        days.back(25, '11:00'),
        {
          kind: 'decline',
          codes: ['real_data'],
          note: 'The sandbox is for synthetic people. Ask for a production key when you have a practice.',
        },
        'rhea',
      ),
    story({
      of,
      name: 'Load test',
      project: 'Measures how fast a cohort of forty patients can be read, over and over.',
    })
      .request(days.back(8, '10:00'))
      .decide(
        days.back(6, '11:00'),
        { kind: 'request_info', codes: ['purpose'], note: 'How many requests a second do you plan?' },
        'tomas',
      ),
    story({
      of,
      name: 'Screening list',
      project: 'Lists patients who are due for a screening, for the care team.',
    }).request(days.back(1, '09:40')),
  ]
}
