/** Requests for sandbox keys in every state that lasts, and what becomes of the keys. */
import { type OrganizationId, organizations, type Who } from './people.ts'
import { type Days, type Scene, type Step, storiesOf } from './scene.ts'

type KeyRow = Readonly<{ of: OrganizationId; name: string; project: string; by?: Who }>

const actorOf = (scene: Scene, { of, by = organizations[of].owner }: KeyRow) => scene.actor(by)
const requestOf = ({ prisma }: Scene, { name }: KeyRow) =>
  prisma.sandboxKeyRequest.findFirstOrThrow({ where: { name } })
const keyOf = ({ prisma }: Scene, { name }: KeyRow) =>
  prisma.apiKey.findFirstOrThrow({ where: { name, revokedAt: null, rotatedAt: null } })

/** All keys are read-only: each organization with a writable one has a sandbox of its own to copy. */
const verbs = {
  request: async (scene: Scene, row: KeyRow) => {
    const { version, sha256 } = scene.agreementTexts.get('sandbox-terms')
    const { requestId } = await scene.keys.requestSandboxKey(
      {
        organizationId: await scene.organizationId(row.of),
        name: row.name,
        projectDescription: row.project,
        technicalContact: `support@${organizations[row.of].domain}`,
        level: 'read_only',
        termsVersion: version,
        termsSha256: sha256,
        idempotencyKey: scene.key(),
      },
      await actorOf(scene, row),
    )
    return scene.keys.provision(requestId)
  },

  reveal: async (scene: Scene, row: KeyRow) => {
    const { id: requestId } = await requestOf(scene, row)
    const outcome = await scene.keys.reveal({ requestId }, await actorOf(scene, row))
    if (outcome.kind !== 'revealed' && outcome.kind !== 'used')
      throw new Error(`${row.name}: ${outcome.kind}`)
  },

  revoke: async (scene: Scene, row: KeyRow, reason: string) => {
    const { id: keyId } = await keyOf(scene, row)
    return scene.keys.revoke({ keyId, reason }, await actorOf(scene, row))
  },

  /** A person found it in a public repository. */
  leak: async (scene: Scene, row: KeyRow) => {
    const { secretHash } = await keyOf(scene, row)
    const context = { ip: '203.0.113.99', userAgent: 'Demonstration', correlationId: crypto.randomUUID() }
    return scene.keys.reportLeak({ hash: Buffer.from(secretHash).toString('hex') }, context)
  },

  decide: async (
    scene: Scene,
    row: KeyRow,
    by: Who,
    decision: Parameters<Scene['keys']['decide']>[0]['decision'],
  ) => {
    const { id: requestId, version } = await requestOf(scene, row)
    await scene.keys.decide({ requestId, version, decision }, await scene.actor(by))
    return scene.keys.provision(requestId)
  },
}

const story = storiesOf(verbs)

/** Keys that are called all month; see calls.ts. */
export const calledKeys = ['Chart sync', 'Nightly import', 'Reminder prototype', 'Measures notebook'] as const

export function sandboxKeySteps({ back }: Days): Step[] {
  return [
    ...story(
      {
        of: 'larkfield',
        name: 'Chart sync',
        project: 'Keeps the charts of our own test clinic in step with ours.',
      },
      [back(33, '10:05'), 'request'],
      [back(33, '10:09'), 'reveal'],
    ),
    ...story(
      {
        of: 'larkfield',
        name: 'Nightly import',
        project: 'Reads what changed during the day, every night, into our staging system.',
      },
      [back(31, '14:30'), 'request'],
      [back(31, '14:41'), 'reveal'],
    ),
    ...story(
      {
        of: 'larkfield',
        name: 'First try',
        project: 'A first look at the API, from a laptop.',
        by: 'milo',
      },
      [back(34, '09:00'), 'request'],
      [back(34, '09:02'), 'reveal'],
      [back(27, '16:00'), 'revoke', 'Replaced by the key of the import.'],
    ),
    ...story(
      {
        of: 'brightmeadow',
        name: 'Reminder prototype',
        project: 'Finds visits of the next week and writes reminders.',
      },
      [back(30, '11:20'), 'request'],
      [back(30, '11:24'), 'reveal'],
    ),
    ...story(
      {
        of: 'brightmeadow',
        name: 'Check-in prototype',
        project: 'A kiosk that reads demographics and coverage.',
      },
      [back(1, '15:10'), 'request'],
    ),
    ...story(
      {
        of: 'brightmeadow',
        name: 'Survey',
        project: 'Asks patients how their visit was; nobody claimed this key.',
      },
      [back(12, '10:00'), 'request'],
    ),
    ...story(
      {
        of: 'quillhaven',
        name: 'Measures notebook',
        project: 'Computes quality measures in a notebook, on synthetic people.',
      },
      [back(32, '13:00'), 'request'],
      [back(32, '13:03'), 'reveal'],
    ),
    ...story(
      {
        of: 'quillhaven',
        name: 'Shared script',
        project: 'A script that the team shares for quick looks.',
      },
      [back(29, '09:30'), 'request'],
      [back(29, '09:33'), 'reveal'],
      [back(11, '18:20'), 'leak'],
    ),
    ...story(
      {
        of: 'quillhaven',
        name: 'Vendor test',
        project: 'We want to load production data of a customer to compare the results.',
      },
      [back(26, '10:00'), 'request'],
      [
        back(25, '11:00'),
        'decide',
        'rhea',
        {
          kind: 'decline',
          codes: ['real_data'],
          note: 'The sandbox is for synthetic people. Ask for a production key when you have a practice.',
        },
      ],
    ),
    ...story(
      {
        of: 'quillhaven',
        name: 'Load test',
        project: 'Measures how fast a cohort of forty patients can be read, over and over.',
      },
      [back(8, '10:00'), 'request'],
      [
        back(6, '11:00'),
        'decide',
        'tomas',
        { kind: 'request_info', codes: ['purpose'], note: 'How many requests a second do you plan?' },
      ],
    ),
    ...story(
      {
        of: 'quillhaven',
        name: 'Screening list',
        project: 'Lists patients who are due for a screening, for the care team.',
      },
      [back(1, '09:40'), 'request'],
    ),
  ]
}
