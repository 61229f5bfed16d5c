/** States set by hand, by operations only: what holds over a component's checks, until when, and who said so. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import {
  type ComponentId,
  type ComponentState,
  isComponentId,
  overrideDaysMax,
  overrideSummaryMax,
  settableStates,
} from '../../contract/components.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { requireStaff } from '../keys/staff.ts'
import { refuseSecretText } from '../keys/tripwire.ts'

type Dependencies = { prisma: PrismaClient; clock: () => Date; portalAudit: PortalAudit }

export type OverrideInput = { component: string; state: string; summary: string; until: Date }

export type Override = {
  component: ComponentId
  state: ComponentState
  summary: string
  until: Date
  setAt: Date
  setBy: string
}

const dayMs = 86_400_000

export function createOverrides({ prisma, clock, portalAudit }: Dependencies) {
  /**
   * Takes the place of an earlier one of the component, from the next answer on.
   * @throws Problem `forbidden`, `validation`
   */
  async function setOverride(input: OverrideInput, actor: Actor): Promise<void> {
    await requireStaff(prisma, actor, ['ops'])
    const { component, state, summary, until } = check(input)
    await prisma.$transaction(async (tx) => {
      const now = clock()
      await tx.statusOverride.updateMany({ where: { component, endedAt: null }, data: { endedAt: now } })
      await tx.statusOverride.create({
        data: { component, state, summary, until, setById: actor.accountId, setAt: now },
      })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        action: 'status_override.set',
        subject: { kind: 'component', id: component },
        detail: { state, summary, until: until.toISOString() },
      })
    })
  }

  /** Back to what the checks find. Ending what is not set changes nothing. @throws Problem `forbidden`, `validation` */
  async function endOverride({ component }: { component: string }, actor: Actor): Promise<void> {
    await requireStaff(prisma, actor, ['ops'])
    if (!isComponentId(component)) throw wrong('component', 'There is no such component.')
    await prisma.$transaction(async (tx) => {
      const ended = await tx.statusOverride.updateMany({
        where: { component, endedAt: null, until: { gt: clock() } },
        data: { endedAt: clock() },
      })
      if (ended.count === 0) return
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        action: 'status_override.ended',
        subject: { kind: 'component', id: component },
      })
    })
  }

  /** Those that hold now. */
  async function listOverrides(): Promise<Override[]> {
    const rows = await prisma.statusOverride.findMany({
      where: { endedAt: null, until: { gt: clock() } },
      include: { setBy: { select: { name: true } } },
      orderBy: [{ setAt: 'asc' }, { id: 'asc' }],
    })
    const newest = new Map(rows.map((row) => [row.component, row]))
    return [...newest.values()].map(({ setBy, component, state, ...row }) => ({
      component: component as ComponentId,
      state: state as ComponentState,
      summary: row.summary,
      until: row.until,
      setAt: row.setAt,
      setBy: setBy.name,
    }))
  }

  function check({ component, state, summary, until }: OverrideInput) {
    if (!isComponentId(component)) throw wrong('component', 'There is no such component.')
    const settable = settableStates.find((each) => each === state)
    if (settable === undefined) {
      throw wrong('state', `The state must be one of ${settableStates.join(', ')}.`)
    }
    const text = summary.trim()
    if (text === '' || [...text].length > overrideSummaryMax || /\p{Cc}/u.test(text)) {
      throw wrong('summary', `The summary must be one line of 1 to ${overrideSummaryMax} characters.`)
    }
    refuseSecretText('summary', text)
    const waitMs = until.getTime() - clock().getTime()
    // Not a number either: an override without an end would outlive whoever remembers it.
    if (!(waitMs > 0 && waitMs <= overrideDaysMax * dayMs)) {
      throw wrong('until', `It must end in the future, within ${overrideDaysMax} days.`)
    }
    return { component, state: settable, summary: text, until }
  }

  return { setOverride, endOverride, listOverrides }
}

function wrong(field: keyof OverrideInput, message: string): Problem {
  return new Problem('validation', { field, message })
}
