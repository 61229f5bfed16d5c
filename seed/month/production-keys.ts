/** Production keys and their agreements, at different stages of the workflow. */

import { baaFields } from '../../server/contract/forms/agreements.ts'
import type { DataClass } from '../../server/contract/keys/data-classes.ts'
import type { Purpose } from '../../server/contract/rest/purposes.ts'
import { type OrganizationId, organizations, type PracticeId, practices, type Who } from './people.ts'
import { type Days, type Scene, type Step, storiesOf } from './scene.ts'

type Request = Readonly<{
  of: OrganizationId
  at: PracticeId
  name: string
  why: string
  level?: 'read_only' | 'full'
  purposes?: readonly Purpose[]
  dataClasses: readonly DataClass[]
}>

type Signer = Readonly<{ legalName: string; title: string }>

/** The account and the signer that sign for an organization. */
function developerOf(of: OrganizationId): [by: Who, signer: Signer] {
  const { owner, ownerName } = organizations[of]
  return [owner, { legalName: ownerName, title: 'Chief Executive' }]
}

/** The account and the signer that sign for a practice. */
function sponsorOf(at: PracticeId): [by: Who, signer: Signer] {
  const { signatory, signatoryName, signatoryTitle } = practices[at]
  return [signatory, { legalName: signatoryName, title: signatoryTitle }]
}

const rowOf = ({ prisma }: Scene, { name }: Request) =>
  prisma.productionKeyRequest.findFirstOrThrow({ where: { name } })

async function targetOf(scene: Scene, request: Request) {
  const { id: requestId, version } = await rowOf(scene, request)
  return { requestId, version, idempotencyKey: scene.key() }
}

/** The newest BAA of a request, because an amendment replaces the earlier one. */
async function baaOf(scene: Scene, request: Request): Promise<string> {
  let id = (await rowOf(scene, request)).baaId ?? ''
  for (;;) {
    const next = await scene.prisma.agreement.findFirst({ where: { replacesId: id } })
    if (!next) return id
    id = next.id
  }
}

async function versionOf({ prisma }: Scene, agreementId: string) {
  const { number } = await prisma.agreement.findUniqueOrThrow({ where: { id: agreementId } })
  const where = { agreementId_number: { agreementId, number } }
  return prisma.agreementVersion.findUniqueOrThrow({ where })
}

async function sign(scene: Scene, agreementId: string, [by, signer]: [Who, Signer]): Promise<void> {
  const { number, sha256 } = await versionOf(scene, agreementId)
  const form = { agreementId, number, sha256, idempotencyKey: scene.key(), ...signer }
  const outcome = await scene.agreements.sign(form, await scene.actor(by))
  if (outcome.kind !== 'signed') throw new Error(outcome.message)
}

const verbs = {
  submit: async (scene: Scene, request: Request) => {
    const { of, name, why, level = 'read_only', dataClasses, purposes = ['operations'] } = request
    const actor = await scene.ownerOf(of)
    const [, { legalName, title }] = developerOf(of)
    const draft = {
      name,
      practiceSlug: practices[request.at].slug,
      level,
      justification: why,
      purposes: [...purposes],
      dataClasses: [...dataClasses],
      termDays: 180,
      signatoryId: actor.accountId,
      signatoryName: legalName,
      signatoryTitle: title,
    }
    const organizationId = await scene.organizationId(of)
    await scene.productionKeys.create({ organizationId, draft, idempotencyKey: scene.key() }, actor)
    return scene.productionKeys.submit(await targetOf(scene, request), actor)
  },

  confirm: async (scene: Scene, request: Request) => {
    const { legalName, address, contactEmail, admin, signatory, signatoryName, signatoryTitle } =
      practices[request.at]
    const signatoryId = (await scene.actor(signatory)).accountId
    return scene.productionKeys.sponsors.confirm(
      {
        ...(await targetOf(scene, request)),
        ...{ legalName, address, contactEmail, contactName: signatoryName },
        ...{ signatoryId, signatoryName, signatoryTitle },
      },
      await scene.actor(admin),
    )
  },

  'sign usage': async (scene: Scene, request: Request) =>
    sign(scene, (await rowOf(scene, request)).usageAgreementId ?? '', developerOf(request.of)),

  'sign baa': async (scene: Scene, request: Request) =>
    sign(scene, await baaOf(scene, request), developerOf(request.of)),

  'practice signs': async (scene: Scene, request: Request) =>
    sign(scene, await baaOf(scene, request), sponsorOf(request.at)),

  negotiate: async (
    scene: Scene,
    request: Request,
    comment: string,
    changes: Readonly<Record<string, string>>,
  ) => {
    const agreementId = await baaOf(scene, request)
    const { fields } = await versionOf(scene, agreementId)
    const changed = baaFields.parse({ ...(fields as Record<string, unknown>), ...changes })
    return scene.agreements.edit(
      { agreementId, idempotencyKey: scene.key(), comment, fields: changed },
      await scene.actor(practices[request.at].signatory),
    )
  },

  claim: async (scene: Scene, request: Request, by: Who) =>
    scene.productionKeys.reviews.claim(await targetOf(scene, request), await scene.actor(by)),

  approve: async (scene: Scene, request: Request, by: Who) =>
    scene.productionKeys.reviews.approve(await targetOf(scene, request), await scene.actor(by)),

  reveal: async (scene: Scene, request: Request) => {
    const { requestId } = await targetOf(scene, request)
    const outcome = await scene.productionKeys.reveal({ requestId }, await scene.ownerOf(request.of))
    if (outcome.kind !== 'revealed' && outcome.kind !== 'used')
      throw new Error(`${request.name}: ${outcome.kind}`)
  },

  decline: async (scene: Scene, request: Request, reason: string) =>
    scene.productionKeys.sponsors.decline(
      { ...(await targetOf(scene, request)), reason },
      await scene.actor(practices[request.at].admin),
    ),

  withdraw: async (scene: Scene, request: Request) =>
    scene.productionKeys.withdraw(await targetOf(scene, request), await scene.ownerOf(request.of)),

  terminate: async (scene: Scene, request: Request, comment: string) =>
    scene.agreements.terminate(
      {
        agreementId: await baaOf(scene, request),
        idempotencyKey: scene.key(),
        comment,
        effectiveOn: null,
      },
      await scene.actor(practices[request.at].admin),
    ),

  amend: async (scene: Scene, request: Request, comment: string) => {
    const agreement = { agreementId: await baaOf(scene, request), idempotencyKey: scene.key() }
    return scene.agreements.amend(agreement, 'amend', { actor: await scene.ownerOf(request.of), comment })
  },
}

const story = storiesOf(verbs)

/** The production key of the calls in calls.ts. */
export const calledProductionKey = 'Larkfield chart sync'

const everyday = ['demographics', 'visits'] as const

export function productionKeySteps(days: Days): Step[] {
  return [...larkfield(days), ...brightmeadow(days), ...quillhaven(days), ...pilot(days)]
}

function larkfield({ back }: Days): Step[] {
  const of = 'larkfield'
  return [
    ...story(
      {
        of,
        at: 'harbor',
        name: calledProductionKey,
        why: 'Reads visits and medications every night, to keep appointment reminders correct.',
        dataClasses: ['demographics', 'visits', 'medications'],
      },
      [back(46, '10:00'), 'submit'],
      [back(45, '11:30'), 'confirm'],
      [back(45, '14:00'), 'sign usage'],
      [back(44, '09:20'), 'sign baa'],
      [back(43, '10:15'), 'practice signs'],
      [back(42, '09:00'), 'claim', 'rhea'],
      [back(39, '15:00'), 'approve', 'rhea'],
      [back(38, '10:00'), 'reveal'],
      [back(4, '10:30'), 'amend', 'The practice changed its address.'],
    ),
    ...story(
      {
        of,
        at: 'harbor',
        name: 'Larkfield referral letters',
        why: 'Writes referral letters into the chart after a visit, so that nobody types them twice.',
        level: 'full',
        dataClasses: ['demographics', 'visits', 'notes', 'documents'],
      },
      [back(4, '13:00'), 'submit'],
    ),
    ...story(
      {
        of,
        at: 'juniper',
        name: 'Larkfield growth charts',
        why: 'Reads heights and weights, so that growth curves are ready before the visit begins.',
        dataClasses: ['demographics', 'vital_signs'],
      },
      [back(13, '10:00'), 'submit'],
      [back(11, '12:00'), 'confirm'],
      [back(6, '16:10'), 'sign baa'],
    ),
    ...story(
      {
        of,
        at: 'juniper',
        name: 'Larkfield recall lists',
        why: 'Makes lists of children who are due for a checkup, for the front desk to call.',
        dataClasses: everyday,
      },
      [back(43, '15:00'), 'submit'],
      [back(41, '10:00'), 'confirm'],
    ),
  ]
}

function brightmeadow({ business }: Days): Step[] {
  const of = 'brightmeadow'
  return [
    ...story(
      {
        of,
        at: 'harbor',
        name: 'Brightmeadow visit reminders',
        why: 'Reminds patients of their visits by text message, in the language that they speak.',
        dataClasses: everyday,
      },
      [business(9, '10:00'), 'submit'],
      [business(8, '09:30'), 'confirm'],
      [business(7, '10:00'), 'sign usage'],
      [business(6, '10:00'), 'sign baa'],
      [business(3, '14:20'), 'practice signs'],
    ),
    ...story(
      {
        of,
        at: 'juniper',
        name: 'Brightmeadow vaccine reminders',
        why: 'Reminds families of vaccinations that are due, in time to make an appointment.',
        dataClasses: ['demographics', 'immunizations'],
      },
      [business(5, '10:00'), 'submit'],
      [business(4, '16:00'), 'confirm'],
    ),
    ...story(
      {
        of,
        at: 'harbor',
        name: 'Brightmeadow intake forms',
        why: 'Files the answers of intake forms in the chart, before the patient is called in.',
        level: 'full',
        dataClasses: ['demographics', 'allergies', 'medications'],
      },
      [business(6, '11:00'), 'submit'],
      [business(5, '11:00'), 'confirm'],
      [
        business(2, '13:00'),
        'negotiate',
        'We need to hear of a breach within a day, and no data may leave the country.',
        { breachNoticeHours: '24', offshore: 'none' },
      ],
    ),
    ...story(
      {
        of,
        at: 'juniper',
        name: 'Brightmeadow chart import',
        why: 'Imports charts once, when a family moves to the practice from somewhere else.',
        dataClasses: ['demographics', 'problems', 'medications'],
      },
      [business(6, '15:00'), 'submit'],
      [business(5, '15:00'), 'confirm'],
      [business(2, '09:00'), 'withdraw'],
    ),
  ]
}

function quillhaven({ back }: Days): Step[] {
  const of = 'quillhaven'
  return [
    ...story(
      {
        of,
        at: 'juniper',
        name: 'Quillhaven survey export',
        why: 'Reads visits of a quarter for a survey that the practice has asked us to run.',
        dataClasses: everyday,
      },
      [back(46, '12:00'), 'submit'],
      [back(45, '12:30'), 'confirm'],
      [back(45, '16:00'), 'sign usage'],
      [back(44, '12:00'), 'sign baa'],
      [back(42, '12:00'), 'practice signs'],
      [back(41, '12:00'), 'claim', 'tomas'],
      [back(40, '12:00'), 'approve', 'tomas'],
      [back(40, '13:00'), 'reveal'],
      [back(36, '10:00'), 'amend', 'The survey asks about one quarter more.'],
      [back(36, '10:05'), 'sign baa'],
      [back(35, '17:30'), 'practice signs'],
      [back(9, '11:00'), 'terminate', 'The survey is finished, and so is the need for the data.'],
    ),
    ...story(
      {
        of,
        at: 'harbor',
        name: 'Quillhaven population report',
        why: 'Counts patients by condition and age, for the yearly report of the practice.',
        dataClasses: ['demographics', 'problems'],
      },
      [back(6, '09:00'), 'submit'],
    ),
    ...story(
      {
        of,
        at: 'juniper',
        name: 'Quillhaven research extract',
        why: 'Reads results of the last ten years to train a model that predicts missed visits.',
        purposes: ['quality'],
        dataClasses: ['results', 'visits'],
      },
      [back(20, '10:00'), 'submit'],
      [back(18, '10:00'), 'decline', 'We do not give data away for the training of models.'],
    ),
  ]
}

/** A pilot of one month without a key request. Its BAA expired without a renewal, so the data must be returned. */
function pilot({ back }: Days): Step[] {
  const { legalName, address, domain, ownerName } = organizations.brightmeadow
  const { juniper } = practices
  const sides = { developer: developerOf('brightmeadow'), practice: sponsorOf('juniper') } as const
  const signatoryOf = async (scene: Scene, side: keyof typeof sides) => {
    const [by, signer] = sides[side]
    return { side, ...signer, accountId: (await scene.actor(by)).accountId }
  }
  const offer = async (scene: Scene) => {
    const terms = {
      kind: 'baa',
      organizationId: await scene.organizationId('brightmeadow'),
      practiceId: await scene.practiceId('juniper'),
      requestId: null,
      level: 'read_only',
      dataClasses: ['visits'],
      purposes: ['operations'],
      signatories: [await signatoryOf(scene, 'developer'), await signatoryOf(scene, 'practice')],
      fields: baaFields.parse({
        developerLegalName: legalName,
        developerAddress: address,
        developerContactName: ownerName,
        developerContactEmail: `legal@${domain}`,
        practiceLegalName: juniper.legalName,
        practiceAddress: juniper.address,
        practiceContactName: juniper.signatoryName,
        practiceContactEmail: juniper.contactEmail,
        services: 'A pilot of one month: reminds families of the next visit.',
        effectiveOn: back(36, '10:00').toISOString().slice(0, 10),
        expiresOn: back(5, '10:00').toISOString().slice(0, 10),
      }),
      by: null,
      now: scene.clock(),
    } satisfies Parameters<Scene['agreements']['offer']>[1]
    return scene.prisma.$transaction((tx) => scene.agreements.offer(tx, terms))
  }
  const signs = (side: keyof typeof sides) => async (scene: Scene) => {
    const organizationId = await scene.organizationId('brightmeadow')
    const { id } = await scene.prisma.agreement.findFirstOrThrow({
      where: { organizationId, requestId: null },
    })
    return sign(scene, id, sides[side])
  }
  return [
    { at: back(36, '10:00'), name: 'pilot offered', act: offer },
    { at: back(35, '11:00'), name: 'pilot signed 0', act: signs('developer') },
    { at: back(34, '11:00'), name: 'pilot signed 1', act: signs('practice') },
  ]
}
