/**
 * A month of registrations by people who do as they like: a fixed seed makes the same month again. What the clocks
 * should say is counted here day by day, by rules of its own and a list of holidays written down.
 */
import { randomUUID } from 'node:crypto'
import { configurationChecks, infoReasons } from '../../server/contract/workflows/registration-checks.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { completeForm, registrationSupport } from './registrations.ts'
import type { TestServices } from './services.ts'

const HOUR = 3_600_000
const closed = new Set([
  '2026-11-26',
  '2026-12-25',
  '2027-01-01',
  '2027-01-18',
  '2027-02-15',
  '2027-05-31',
  '2027-06-18',
  '2027-07-05',
])
const infoCodes = Object.keys(infoReasons).filter((code) => code !== 'purpose_unclear')

type Mark = { at: Date; what: 'start' | 'pause' | 'resume' | 'stop' }
type Expected = { days: number; received: string; due: string; used: number; overdue: boolean }
type App = {
  id: string
  owner: { accountId: string; actor: Actor }
  promise: Mark[][]
  authenticity: Mark[]
  enablement: Mark[]
  asked: { form: string; codes: Set<string> } | null
  silent: boolean
  mendLater: boolean
  ended: boolean
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export async function liveMonth(services: TestServices, { count, seed }: { count: number; seed: number }) {
  const support = registrationSupport(() => services)
  const random = randomOf(seed)
  const chance = (percent: number) => random() * 100 < percent
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const { registrations } = services
  const { reviews } = registrations
  const reviewers = [
    await support.makeStaff('reviewer'),
    await support.makeStaff('reviewer'),
    await support.makeStaff('reviewer'),
  ]
  const ops = await support.makeStaff('ops')
  const team = await support.makeTeam()
  const apps: App[] = []
  const fresh = (actor: Actor): Actor => ({
    ...actor,
    authenticatedAt: services.clock(),
    mfa: services.clock(),
  })
  const hoursPerStep = (30 * 24) / (count * 9)

  while (apps.length < count || apps.some((app) => !app.ended && !app.silent)) {
    services.advance(Math.round(random() * 2 * hoursPerStep * HOUR))
    await registrations.tick(services.clock())
    const open = apps.filter((app) => !app.ended && !app.silent)
    if (apps.length < count && (open.length === 0 || chance(14))) apps.push(await arrive())
    else if (open.length > 0) await act(oneOf(open))
  }
  // Whoever fell silent is reminded and withdrawn by time alone.
  for (let day = 0; day < 50; day++) {
    services.advance(24 * HOUR)
    await registrations.tick(services.clock())
  }
  for (const app of apps) await noteLapse(app)

  async function arrive(): Promise<App> {
    const mendLater = chance(20)
    const form = completeForm({ name: `App ${apps.length}`, ...(mendLater ? { privacyUrl: '' } : {}) })
    const { registrationId } = await registrations.saveDraft(
      {
        registrationId: null,
        organizationId: team.organizationId,
        form,
        version: null,
        idempotencyKey: randomUUID(),
      },
      team.owner.actor,
    )
    return {
      id: registrationId,
      owner: team.owner,
      promise: [],
      authenticity: [],
      enablement: [],
      asked: null,
      silent: false,
      mendLater,
      ended: false,
    }
  }

  async function act(app: App): Promise<void> {
    const row = await services.prisma.registration.findUniqueOrThrow({ where: { id: app.id } })
    const target = await support.target(app.id)
    const now = services.clock()
    const mine = fresh(app.owner.actor)
    const promise = app.promise.at(-1) ?? []
    const reviewer = reviewers.find(({ accountId }) => accountId === row.claimedById) ?? oneOf(reviewers)
    const stopAll = () => {
      for (const marks of [promise, app.authenticity, app.enablement])
        if (marks.length > 0 && marks.at(-1)?.what !== 'stop') marks.push({ at: now, what: 'stop' })
    }

    if (['draft', 'submitted', 'in_review', 'resubmitted'].includes(row.state) && chance(3)) {
      await registrations.withdraw(target, mine)
      stopAll()
      app.ended = true
      return
    }
    switch (row.state) {
      case 'draft': {
        if (app.mendLater && row.receivedAt) {
          app.mendLater = false
          await registrations.saveDraft(
            { ...target, organizationId: row.organizationId, form: completeForm({ name: row.name }) },
            mine,
          )
          return
        }
        await registrations.submit({ ...target, terms: support.acceptedTerms() }, mine)
        if (app.authenticity.length === 0) app.authenticity.push({ at: now, what: 'start' })
        if (!app.mendLater) app.promise.push([{ at: now, what: 'start' }])
        return
      }
      case 'submitted':
      case 'resubmitted': {
        const able = reviewers.filter(({ accountId }) => !row.excludedIds.includes(accountId))
        await reviews.claim(target, oneOf(able).fresh())
        return
      }
      case 'in_review':
        return review()
      case 'needs_info': {
        if (chance(12)) {
          app.silent = true
          return
        }
        const items = await services.prisma.registrationItem.findMany({
          where: { registrationId: app.id, answeredAt: null },
        })
        if (items.length > 0) {
          const answers = items.map(({ id: itemId }) => ({ itemId, text: 'We have put that right.' }))
          await registrations.answer({ ...target, answers }, mine)
          return
        }
        await registrations.resubmit(target, mine)
        if (promise.at(-1)?.what === 'pause') promise.push({ at: now, what: 'resume' })
        return
      }
      case 'enabling': {
        if ((await registrations.enable(app.id)) === 'enabled') {
          stopAll()
          app.ended = true
        }
        return
      }
      case 'rejected': {
        if (chance(50) && row.excludedIds.length < 3) {
          await registrations.appeal({ ...target, text: 'We see this differently.' }, mine)
          app.promise.push([{ at: now, what: 'start' }])
        } else app.ended = true
        return
      }
      default:
        throw new Error(`nobody expects ${row.state}`)
    }

    async function review(): Promise<void> {
      const able = reviewers.filter(({ accountId }) => !row.excludedIds.includes(accountId))
      if (row.claimedById === null || (chance(4) && row.proposal === null)) {
        const others = able.filter(({ accountId }) => accountId !== row.claimedById)
        if (others.length > 0) await reviews.claim(target, oneOf(others).fresh())
        return
      }
      const by = reviewer.fresh()
      if (row.proposal) {
        const { byId } = row.proposal as { byId: string }
        const second = able.find(({ accountId }) => accountId !== byId)
        if (!second || chance(30))
          return reviews.dismissRejection({ ...target, text: 'It is not so bad.' }, by)
        await reviews.reject(target, second.fresh())
        stopAll()
        return
      }
      if (row.authenticity !== 'verified' && chance(60)) {
        await reviews.verifyAuthenticity({ ...target, evidence: 'A mailbox at the domain.' }, by)
        // A rejection ends the rule's clock, and an appeal has none.
        if (app.authenticity.at(-1)?.what === 'start') {
          app.authenticity.push({ at: now, what: 'stop' })
          app.enablement.push({ at: now, what: 'start' })
        }
        return
      }
      if (chance(25)) {
        const codes = [...new Set([oneOf(infoCodes), oneOf(infoCodes)])]
        await reviews.requestInfo(
          { ...target, items: codes.map((code) => ({ code, text: 'Please look at this.' })) },
          by,
        )
        // Nobody changes a form here once it is handed in: whatever is asked later could have been asked at first.
        if (app.asked === null && !isOver(promise, now)) promise.push({ at: now, what: 'pause' })
        app.asked ??= { form: '', codes: new Set(codes) }
        return
      }
      if (chance(6)) {
        await reviews.proposeRejection(
          { ...target, codes: ['misleads'], text: 'It reads like another app.' },
          by,
        )
        return
      }
      if (row.configuration !== 'valid')
        await reviews.validateConfiguration({ ...target, checked: [...configurationChecks] }, by)
      else if (row.authenticity === 'verified') await reviews.approve(target, by)
    }
  }

  async function noteLapse(app: App): Promise<void> {
    if (app.ended) return
    const lapse = await services.prisma.registrationEvent.findFirst({
      where: { registrationId: app.id, event: 'lapse' },
    })
    if (!lapse) throw new Error(`${app.id} fell silent, and was never withdrawn`)
    for (const marks of [app.promise.at(-1) ?? [], app.authenticity, app.enablement])
      if (marks.length > 0 && marks.at(-1)?.what !== 'stop') marks.push({ at: lapse.at, what: 'stop' })
  }

  return {
    ops,
    reviewers,
    team,
    apps: apps.map(({ id, promise, authenticity, enablement }) => ({
      id,
      promise: promise.map((marks) => countOut(marks, 5)),
      authenticity: authenticity.length > 0 ? [countOut(authenticity, 10)] : [],
      enablement: enablement.length > 0 ? [countOut(enablement, 5)] : [],
    })),
  }
}

const dayOf = (at: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', dateStyle: 'short' }).format(at)
const nextDay = (day: string) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + 24 * HOUR).toISOString().slice(0, 10)
const isOpen = (day: string) => ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()) && !closed.has(day)

function isOver(marks: readonly Mark[], at: Date): boolean {
  return marks.length > 0 && dayOf(at) > countOut([...marks, { at, what: 'stop' }], 5).due
}

/** A day counts when it is one of business and the clock ran as it began. */
function countOut(marks: readonly Mark[], days: number): Expected {
  const [start] = marks
  const end = marks.at(-1)
  if (!start || end?.what !== 'stop') throw new Error('a clock that never began, or never ended')
  const received = dayOf(start.at)
  let [left, used, due, runs, pausedOn, dueAtPause] = [days, 0, '', true, '', '']
  for (let day = received; ; day = nextDay(day)) {
    if (day > received && runs && isOpen(day)) {
      used += 1
      if (left > 0) left -= 1
      if (left === 0 && due === '') due = day
    }
    for (const { at, what } of marks) {
      if (dayOf(at) !== day) continue
      if (what === 'pause') {
        runs = false
        pausedOn = day
        dueAtPause = due || dayAfter(day, left)
      }
      if (what === 'resume') {
        runs = true
        // What stood still on its last day has the day on which it goes on, or the next one of business.
        if (left === 0 && day !== pausedOn) {
          if (isOpen(day)) due = day
          else [left, used, due] = [1, used - 1, '']
        }
      }
      if (what === 'stop') {
        if (due === '' || !runs) due = runs ? dayAfter(day, left) : dueAtPause
        return { days, received, due, used, overdue: runs && day > due }
      }
    }
  }
}

function dayAfter(from: string, count: number): string {
  let [day, left] = [from, count]
  while (left > 0) {
    day = nextDay(day)
    if (isOpen(day)) left -= 1
  }
  return day
}
