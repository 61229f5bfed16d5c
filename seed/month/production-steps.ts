/** The steps of a production key and of its agreements, one function for each. */
import type { DataClass } from '../../server/contract/keys/data-classes.ts'
import type { Purpose } from '../../server/contract/rest/purposes.ts'
import { baaFields } from '../../server/contract/workflows/agreements.ts'
import {
  monthPeople,
  type OrganizationId,
  organizations,
  type PracticeId,
  practices,
  type Who,
} from './people.ts'
import type { Scene, Step } from './scene.ts'

type Request = Readonly<{
  of: OrganizationId
  at: PracticeId
  name: string
  why: string
  level?: 'read_only' | 'full'
  purposes?: readonly Purpose[]
  dataClasses: readonly DataClass[]
}>

export const ownerTitle = 'Chief Executive'
export const ownerName: Readonly<Record<OrganizationId, string>> = {
  larkfield: 'Dana Sandboxer',
  brightmeadow: nameOf('petra'),
  quillhaven: nameOf('ansel'),
}

function nameOf(name: 'petra' | 'ansel'): string {
  return monthPeople.find(({ email }) => email.startsWith(name))?.name ?? ''
}

/** One step of a request. */
type Told = (request: Request) => Readonly<{ at: Date; event: string; act: Step['act'] }>

export function story(request: Request, ...told: readonly Told[]): Step[] {
  return told.map((each, index) => {
    const { at, event, act } = each(request)
    return { at, name: `${request.name} ${event} ${index}`, act }
  })
}

async function targetOf(scene: Scene, { name }: Request) {
  const { row: _, ...target } = await scene.productionRequest(name)
  return target
}

async function usageOf(scene: Scene, { name }: Request): Promise<string> {
  return (await scene.productionRequest(name)).row.usageAgreementId ?? ''
}

/** The newest, where one took the place of another. */
async function baaOf(scene: Scene, { name }: Request): Promise<string> {
  let id = (await scene.productionRequest(name)).row.baaId ?? ''
  for (;;) {
    const next = await scene.prisma.agreement.findFirst({ where: { replacesId: id } })
    if (!next) return id
    id = next.id
  }
}

function ownerOf({ of }: Request): [by: Who, signer: Signer] {
  return [organizations[of].owner, { legalName: ownerName[of], title: ownerTitle }]
}

export async function signAs(scene: Scene, agreementId: string, by: Who, signer: Signer): Promise<void> {
  const outcome = await scene.agreements.sign(
    { ...(await versionOf(scene, agreementId)), idempotencyKey: scene.key(), ...signer },
    await scene.actor(by),
  )
  if (outcome.kind !== 'signed') throw new Error(outcome.message)
}

export const submit =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'submit',
    act: async (scene) => {
      const actor = await scene.actor(organizations[request.of].owner)
      const { name, why, level = 'read_only', dataClasses, purposes = ['operations'] } = request
      const draft = {
        name,
        practiceSlug: practices[request.at].slug,
        level,
        justification: why,
        purposes: [...purposes],
        dataClasses: [...dataClasses],
        termDays: 180,
        signatoryId: actor.accountId,
        signatoryName: ownerName[request.of],
        signatoryTitle: ownerTitle,
      }
      const organizationId = await scene.organizationId(request.of)
      await scene.productionKeys.create({ organizationId, draft, idempotencyKey: scene.key() }, actor)
      await scene.productionKeys.submit(await targetOf(scene, request), actor)
    },
  })

export const confirm =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'confirm',
    act: async (scene) => {
      const { legalName, address, contactEmail, signatory, signatoryName, signatoryTitle } =
        practices[request.at]
      const signatoryId = (await scene.actor(signatory)).accountId
      await scene.productionKeys.sponsors.confirm(
        {
          ...(await targetOf(scene, request)),
          ...{ legalName, address, contactEmail, contactName: signatoryName },
          ...{ signatoryId, signatoryName, signatoryTitle },
        },
        await scene.actor(practices[request.at].admin),
      )
    },
  })

export const signUsage =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'sign usage',
    act: async (scene) => signAs(scene, await usageOf(scene, request), ...ownerOf(request)),
  })

export const signBaa =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'sign baa',
    act: async (scene) => signAs(scene, await baaOf(scene, request), ...ownerOf(request)),
  })

export const counterSign =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'practice signs',
    act: async (scene) => {
      const { signatory, signatoryName: legalName, signatoryTitle: title } = practices[request.at]
      await signAs(scene, await baaOf(scene, request), signatory, { legalName, title })
    },
  })

export const negotiate =
  (at: Date, comment: string, changes: Readonly<Record<string, string>>): Told =>
  (request) => ({
    at,
    event: 'negotiate',
    act: async (scene) => {
      const agreementId = await baaOf(scene, request)
      const { number } = await versionOf(scene, agreementId)
      const { fields } = await scene.prisma.agreementVersion.findUniqueOrThrow({
        where: { agreementId_number: { agreementId, number } },
      })
      await scene.agreements.edit(
        {
          agreementId,
          idempotencyKey: scene.key(),
          comment,
          fields: baaFields.parse({ ...(fields as Record<string, unknown>), ...changes }),
        },
        await scene.actor(practices[request.at].signatory),
      )
    },
  })

export const claim =
  (at: Date, by: Who): Told =>
  (request) => ({
    at,
    event: 'claim',
    act: async (scene) =>
      scene.productionKeys.reviews.claim(await targetOf(scene, request), await scene.actor(by)),
  })

export const approve =
  (at: Date, by: Who): Told =>
  (request) => ({
    at,
    event: 'approve',
    act: async (scene) =>
      scene.productionKeys.reviews.approve(await targetOf(scene, request), await scene.actor(by)),
  })

export const reveal =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'reveal',
    act: async (scene) => {
      const { requestId } = await targetOf(scene, request)
      const outcome = await scene.productionKeys.reveal(
        { requestId },
        await scene.actor(organizations[request.of].owner),
      )
      if (outcome.kind !== 'revealed' && outcome.kind !== 'used')
        throw new Error(`${request.name}: ${outcome.kind}`)
    },
  })

export const decline =
  (at: Date, reason: string): Told =>
  (request) => ({
    at,
    event: 'decline',
    act: async (scene) =>
      scene.productionKeys.sponsors.decline(
        { ...(await targetOf(scene, request)), reason },
        await scene.actor(practices[request.at].admin),
      ),
  })

export const withdraw =
  (at: Date): Told =>
  (request) => ({
    at,
    event: 'withdraw',
    act: async (scene) =>
      scene.productionKeys.withdraw(
        await targetOf(scene, request),
        await scene.actor(organizations[request.of].owner),
      ),
  })

export const terminate =
  (at: Date, comment: string): Told =>
  (request) => ({
    at,
    event: 'terminate',
    act: async (scene) => {
      const agreementId = await baaOf(scene, request)
      await scene.agreements.terminate(
        { agreementId, idempotencyKey: scene.key(), comment, effectiveOn: null },
        await scene.actor(practices[request.at].admin),
      )
    },
  })

export const amend =
  (at: Date, comment: string): Told =>
  (request) => ({
    at,
    event: 'amend',
    act: async (scene) => {
      const agreementId = await baaOf(scene, request)
      await scene.agreements.amend({ agreementId, idempotencyKey: scene.key() }, 'amend', {
        actor: await scene.actor(organizations[request.of].owner),
        comment,
      })
    },
  })

type Signer = Readonly<{ legalName: string; title: string }>

async function versionOf({ prisma }: Scene, agreementId: string) {
  const { number } = await prisma.agreement.findUniqueOrThrow({ where: { id: agreementId } })
  const where = { agreementId_number: { agreementId, number } }
  const { sha256 } = await prisma.agreementVersion.findUniqueOrThrow({ where })
  return { agreementId, number, sha256 }
}
