/** What checks, people and ninety days make of the status page, by the services that do it when nobody takes pictures. */
import { randomUUID } from 'node:crypto'
import type { CheckedState, ComponentState } from '../../server/contract/status/components.ts'
import { type ComponentId, componentIds } from '../../server/contract/status/components.ts'
import type { Affected, IncidentKind } from '../../server/contract/status/incidents.ts'
import type { TestServices } from '../support/services.ts'

const reason = 'Two practices have called.'
const dayMs = 86_400_000

const words: Record<CheckedState, string> = {
  operational: 'It responds.',
  degraded: 'Searches are slow.',
  down: 'The interface is not responding.',
  disabled: 'Off on purpose.',
  not_available: 'Not checked.',
}

export function statusStates(services: TestServices, opsId: string) {
  const { status, clock, advance, prisma } = services

  const actor = () => ({
    ...{ accountId: opsId, sessionId: 'none', ip: '192.0.2.7', userAgent: 'pictures' },
    authenticatedAt: clock(),
    mfa: clock(),
    correlationId: randomUUID(),
  })

  /** A round of checks, so long after the last that it is told at once. */
  async function check(
    found: Partial<Record<ComponentId, CheckedState>> = {},
    all: CheckedState = 'operational',
  ) {
    advance(600_000)
    const rows = componentIds.map((name) => ({ name, state: found[name] ?? all }))
    const practice = (['sign_in', 'saving'] as const).map((name) => ({ name, state: all }))
    await status.saveChecks(
      [...rows, ...practice].map((row) => ({ ...row, summary: words[row.state] })),
      clock(),
    )
  }

  async function set(
    component: ComponentId,
    state: Exclude<ComponentState, 'not_available'>,
    summary: string,
  ) {
    const until = new Date(clock().getTime() + 4 * 3_600_000)
    await status.setOverride({ component, state, summary, reason, until }, actor())
  }

  async function unset() {
    for (const { component } of await status.listOverrides({ accountId: opsId }))
      await status.endOverride({ component, reason }, actor())
  }

  type IncidentUpdate = {
    kind?: IncidentKind
    title: string
    text: string
    components: Affected
    startsInHours?: number
    hours?: number
  }

  async function tell({ kind = 'incident', startsInHours, hours, ...update }: IncidentUpdate) {
    const inHours = (count: number) => new Date(clock().getTime() + count * 3_600_000)
    const id = randomUUID()
    await status.openIncident(
      {
        ...{ id, kind, reason, ...update },
        ...(startsInHours !== undefined && { startsAt: inHours(startsInHours) }),
        ...(hours !== undefined && { endsAt: inHours((startsInHours ?? 0) + hours) }),
      },
      actor(),
    )
    // As whoever acts sees it.
    const seen = async () => (await status.getIncident(id, { accountId: opsId })).version
    return {
      id,
      /** The next word on it, half an hour later. */
      async say(stage: string, text: string, components = update.components) {
        advance(1_800_000)
        await status.updateIncident({ id, version: await seen(), stage, text, components, reason }, actor())
      },
      async edit(text: string) {
        advance(60_000)
        const [update] = (await status.findIncident(id))?.updates ?? []
        if (update === undefined) throw new Error('no update was posted')
        await status.editIncidentUpdate(
          { id, version: await seen(), update: update.id, text, reason },
          actor(),
        )
      },
      async explain(text: string) {
        advance(86_400_000)
        await status.writePostMortem({ id, version: await seen(), text, reason }, actor())
      },
    }
  }

  /** Eighty-nine days, each of them whole but those told here. */
  async function live(
    days: Readonly<Record<number, Partial<Record<ComponentId, Partial<Record<ComponentState, number>>>>>>,
    { gap = [] as readonly number[] } = {},
  ) {
    const today = Math.floor(clock().getTime() / dayMs)
    const rows = Array.from({ length: 89 }, (_, place) => place + 1)
      .filter((back) => !gap.includes(back))
      .flatMap((back) =>
        componentIds.flatMap((component) => {
          const minutes = days[back]?.[component] ?? { operational: 1_440 }
          const day = new Date((today - back) * dayMs)
          return Object.entries(minutes).map(([state, count]) => ({ component, day, state, minutes: count }))
        }),
      )
    await prisma.statusDay.createMany({ data: rows, skipDuplicates: true })
  }

  return { actor, check, set, unset, tell, live }
}
