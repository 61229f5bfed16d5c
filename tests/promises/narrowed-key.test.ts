/**
 * One production key of narrowed classes: what its BAA says, what the practice's console and the developer's page show,
 * what `/context` names, and what operations and tools are open. All five are the same, before and after the
 * practice narrows it further.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { operationNeeds, toolNeeds } from '../../server/contract/keys/class-coverage.ts'
import { type DataClass, dataClasses } from '../../server/contract/keys/data-classes.ts'
import { missingClasses } from '../../server/contract/keys/key-access.ts'
import { mcpToolNames } from '../../server/contract/mcp/tools.ts'
import { type Purpose, purposes } from '../../server/contract/rest/purposes.ts'
import { send } from '../support/mcp.ts'
import { productionKeySupport } from '../support/production-keys.ts'
import { registrationServices } from '../support/registrations.ts'
import { type RestStack, restStack } from '../support/rest.ts'

const patientId = 'pt-otis-samplewood'
const agreed = {
  dataClasses: ['demographics', 'documents', 'allergies', 'visits', 'results'] as DataClass[],
  purposes: ['treatment', 'operations'] as Purpose[],
}

let stack: RestStack
let scene: Awaited<ReturnType<ReturnType<typeof productionKeySupport>['working']>>
let keyId: string

beforeAll(async () => {
  const services = await registrationServices()
  stack = await restStack({ services })
  const support = productionKeySupport(() => services)
  const { datasetId } = await services.prisma.practice.findUniqueOrThrow({
    where: { slug: 'sandpiper-demonstration' },
  })
  const office = await support.office()
  await services.prisma.practice.update({ where: { id: office.practiceId }, data: { datasetId } })
  scene = await support.working(agreed, { office })
  keyId = (await services.prisma.apiKey.findFirstOrThrow({ where: { productionRequestId: scene.requestId } }))
    .id
})

/** The row of the table at the head of the BAA. */
async function inBaa(row: string): Promise<string> {
  const { services } = stack
  const { baaId } = await services.prisma.productionKeyRequest.findUniqueOrThrow({
    where: { id: scene.requestId },
  })
  const { offered, executedAt } = await services.agreements.read(baaId ?? '', scene.owner.fresh())
  expect(executedAt).not.toBeNull()
  const cells = new RegExp(`^\\| ${row} \\| (.*) \\|$`, 'm').exec(offered.markdown ?? '')?.[1] ?? ''
  return cells.replaceAll('\\', '')
}

const withLabels = <Name extends string>(text: string, labels: Readonly<Record<Name, string>>): Name[] =>
  (Object.keys(labels) as Name[]).filter((name) => text.includes(labels[name]))

const shownToDeveloper = async () => {
  const { accountId } = scene.owner.fresh()
  return (await stack.services.keyLimits.forOwner({ keyId, accountId })).access
}
const shownToPractice = () =>
  stack.services.keyAccess.read({ practiceId: scene.office.practiceId, keyId }, scene.office.admin.fresh())

const options = () => ({ key: scene.key, base: 'production' as const })

async function expectEverywhere(classes: readonly DataClass[], allowed: readonly Purpose[]) {
  const sorted = [...classes].sort()
  const practice = await shownToPractice()
  expect([...practice.access.classes].sort()).toEqual(sorted)
  expect([...practice.access.purposes].sort()).toEqual([...allowed].sort())
  const developer = await shownToDeveloper()
  expect([...(developer?.classes ?? [])].sort()).toEqual(sorted)
  expect([...(developer?.purposes ?? [])].sort()).toEqual([...allowed].sort())
  const context = await stack.call('/context', options())
  expect([...context.body.principal.dataClasses].sort()).toEqual(sorted)
  expect([...context.body.principal.purposes].sort()).toEqual([...allowed].sort())

  const access = { classes, purposes: allowed }
  for (const [operationId, path] of [
    ['listPatients', '/patients?limit=1'],
    ['getPatient', `/patients/${patientId}`],
    ['getCcda', `/patients/${patientId}/ccda`],
  ] as const) {
    const { status } = await stack.call(path, options())
    const isOpen = missingClasses(access, operationNeeds[operationId]).length === 0
    expect([operationId, status]).toEqual([operationId, isOpen ? 200 : 403])
  }
  const { body } = await send(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, options())
  const readable = mcpToolNames.filter(
    (name) =>
      missingClasses(access, toolNeeds[name]).length === 0 && !/^(?:create|start|register)_/.test(name),
  )
  expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(readable)
}

describe('a production key of five classes and two purposes', () => {
  test('reads exactly what the BAA that both sides signed names', async () => {
    const named = withLabels(await inBaa('Classes of data'), dataClasses)
    const said = withLabels(await inBaa('Purposes'), purposes)
    expect([...named].sort()).toEqual([...agreed.dataClasses].sort())
    expect([...said].sort()).toEqual([...agreed.purposes].sort())
    expect([...(await shownToPractice()).agreed.classes].sort()).toEqual([...named].sort())
    await expectEverywhere(named, said)
  })

  test('reads less everywhere once the practice narrows it; the BAA still says what may be given back', async () => {
    const { version } = await shownToPractice()
    await stack.services.keyAccess.narrow(
      {
        ...{ practiceId: scene.office.practiceId, keyId, version },
        ...{ dataClasses: ['demographics', 'visits'], purposes: ['treatment'] },
        reason: 'The reminder calls need names and visits only.',
      },
      scene.office.admin.fresh(),
    )
    await expectEverywhere(['demographics', 'visits'], ['treatment'])
    expect(withLabels(await inBaa('Classes of data'), dataClasses)).toHaveLength(agreed.dataClasses.length)
    expect((await shownToPractice()).agreed.classes).toHaveLength(agreed.dataClasses.length)
  })
})
