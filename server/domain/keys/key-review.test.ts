import { randomUUID } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyRequestForm } from '../../../tests/support/key-request.ts'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { addAccount, signedIn } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { tokenInLink } from '../../contract/portal/paths.ts'
import { type InboundListener, listenForMail } from '../../mail/inbound-listener.ts'
import type { Actor } from '../actor.ts'
import type { ReviewDecision } from './key-review.ts'

const suspicious = 'We want to load real patients of our customers into the sandbox and look at their charts.'
const teams = createTeams(() => services)

const services = await testServices()
const reviewer = await makeReviewer(`${randomUUID()}@sandpiper.example`)

async function makeReviewer(email: string): Promise<Actor> {
  const { id } = await addAccount(services, 'staff', { staffRole: 'reviewer', email })
  return signedIn(() => services, id)()
}

async function requested(projectDescription: string) {
  const { organizationId, owner } = await teams.makeTeam()
  const form = keyRequestForm(services, organizationId, { projectDescription })
  const { requestId } = await services.keys.requestSandboxKey(form, owner.actor)
  await services.keys.provision(requestId)
  return { organizationId, owner, requestId }
}

async function decide(requestId: string, decision: ReviewDecision, actor = reviewer): Promise<void> {
  const { version } = await services.prisma.sandboxKeyRequest.findUniqueOrThrow({ where: { id: requestId } })
  await services.keys.decide({ requestId, version, decision }, actor)
}

const stateOf = async (id: string) =>
  (await services.prisma.sandboxKeyRequest.findUniqueOrThrow({ where: { id } })).state

describe('a request that speaks of real data', () => {
  test('waits for a reviewer, who asks, is answered and approves; then the claim link leaves', async () => {
    const { requestId, owner } = await requested(suspicious)
    expect(await stateOf(requestId)).toBe('manual_review')
    expect(await services.keys.getReview({ requestId }, reviewer)).toMatchObject({ flags: ['real_data'] })

    await decide(requestId, { kind: 'request_info', codes: ['real_data'], note: 'Which patients?' })
    expect(await stateOf(requestId)).toBe('needs_info')
    const projectDescription = `${suspicious} No: we mean synthetic people only, we wrote it badly.`
    await services.keys.answerReview({ requestId, projectDescription }, owner.actor)
    services.advance(3_600_000)
    await decide(requestId, { kind: 'approve' })
    await services.keys.provision(requestId)

    expect(await stateOf(requestId)).toBe('ready_to_claim')
    expect(await mailsTo(services, owner.email)).toEqual([
      'key-request-received',
      'key-request-review',
      'key-request-needs-info',
      'key-claim',
    ])
  })

  test('is declined with a reason, once, and the next of its organization is looked at too', async () => {
    const { requestId, owner } = await requested(suspicious)
    const decline = { kind: 'decline', codes: ['real_data'], note: '' } as const
    const { version } = await services.prisma.sandboxKeyRequest.findUniqueOrThrow({
      where: { id: requestId },
    })

    const answers = await Promise.all(
      [1, 2].map(() =>
        kindOfProblem(services.keys.decide({ requestId, version, decision: decline }, reviewer)),
      ),
    )

    expect(answers.sort()).toEqual(['conflict', 'none'])
    expect(await stateOf(requestId)).toBe('declined')
    expect(await mailsTo(services, owner.email)).toContain('key-request-declined')
  })

  test('is decided by reviewers alone, not of the own organization, in codes of the list, without secrets', async () => {
    const { requestId, owner } = await requested(suspicious)
    const own = await makeReviewer(owner.email)
    const secret = 'svc_tAAAAAAAbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb000000'

    expect(await kindOfProblem(decide(requestId, { kind: 'approve' }, owner.actor))).toBe('forbidden')
    expect(await kindOfProblem(decide(requestId, { kind: 'approve' }, own))).toBe('forbidden')
    for (const words of [
      { codes: [], note: '' },
      { codes: ['because'], note: '' },
      { codes: ['purpose'], note: secret },
    ])
      expect(await kindOfProblem(decide(requestId, { kind: 'request_info', ...words }))).toBe('validation')
    expect(await stateOf(requestId)).toBe('manual_review')
    const answer = { requestId, projectDescription: suspicious }
    expect(await kindOfProblem(services.keys.answerReview(answer, owner.actor))).toBe('conflict')
    const stranger = await teams.makePerson()
    expect(await kindOfProblem(services.keys.answerReview(answer, stranger.actor))).toBe('not_found')
  })
})

test('a description that says there is no real data needs no person', async () => {
  const { requestId } = await requested(
    'An intake form for synthetic people. We never use real patients in it.',
  )

  expect(await stateOf(requestId)).toBe('ready_to_claim')
})

describe('a mail to the keys address', () => {
  let listener: InboundListener
  const address = 'keys@sandpiper.example'
  const text = 'Hello, we build a reminder service for small practices and would like to try your API. Thanks'

  beforeAll(async () => {
    const { log, keys } = services
    listener = await listenForMail({
      host: '127.0.0.1',
      port: 0,
      address,
      log,
      onMail: keys.draftFromMail,
    })
  })
  afterAll(() => listener.close())

  function confirmation(to: { token: string; organizationId: string }, technicalContact: string) {
    const { version, sha256 } = services.agreementTexts.get('sandbox-terms')
    const terms = { termsVersion: version, termsSha256: sha256 }
    const wanted = { name: 'Reminders', projectDescription: text, level: 'read_only' } as const
    return { ...to, ...wanted, ...terms, technicalContact }
  }

  async function send(mail: { from: string } & Record<string, unknown>): Promise<string> {
    const transport = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
    const sent = await transport.sendMail({ to: address, subject: 'A key, please', text, ...mail }).then(
      () => 'taken',
      (error: { responseCode?: number }) => `refused ${error.responseCode}`,
    )
    transport.close()
    return sent
  }

  test('that states the contact and accepts the terms leaves nothing to fill in but one confirmation', async () => {
    const { owner } = await teams.makeTeam()
    const { version } = services.agreementTexts.get('sandbox-terms')
    const stated = (terms: string) =>
      `${text}\n\nTechnical contact: tech@samplewood.example\nI accept the sandbox terms, version ${terms}.\n`
    const outcomes = []
    for (const body of [
      stated(version),
      stated('0.1'),
      `> ${stated(version).replaceAll('\n', '\n> ')}\n${text}`,
    ]) {
      await send({ from: owner.email, messageId: `<${randomUUID()}@samplewood.example>`, text: body })
      const mail = await services.prisma.outboxMail.findFirstOrThrow({
        where: { toAddress: owner.email, template: 'key-draft' },
        orderBy: { createdAt: 'desc' },
      })
      const draft = await services.keys.findDraft({
        token: tokenInLink(services.mail.openLinks(mail).confirmUrl ?? '') ?? '',
        accountId: owner.accountId,
      })
      outcomes.push([(mail.props as { missing: string[] }).missing, draft])
      services.advance(1_000)
    }

    const contact = 'tech@samplewood.example'
    expect(outcomes).toMatchObject([
      [[], { kind: 'live', technicalContact: contact, acceptsTerms: true }],
      [['terms'], { kind: 'live', technicalContact: contact, acceptsTerms: false }],
      [['contact', 'terms'], { kind: 'live', technicalContact: null, acceptsTerms: false }],
    ])
  })

  test('with a labelled secret or a patient’s details keeps none of its text', async () => {
    const { owner } = await teams.makeTeam()
    for (const line of ['client_secret is Kx7pQ9vTz2mW', 'born 14 March 1958, MRN 0044812']) {
      const messageId = `<${randomUUID()}@samplewood.example>`
      expect(await send({ from: owner.email, messageId, text: `${text}\n${line}\n` })).toBe('taken')
      const draft = await services.prisma.keyDraft.findUniqueOrThrow({ where: { messageId } })
      expect(draft.description).toBe('')
      services.advance(1_000)
    }
  })

  test('becomes a draft whose link, opened by its sender, makes one request', async () => {
    const { organizationId, owner } = await teams.makeTeam()
    const stranger = await teams.makePerson()
    const messageId = `<${randomUUID()}@samplewood.example>`

    expect(await send({ from: owner.email, messageId, html: '<img src="https://x.example/a.png">' })).toBe(
      'taken',
    )
    expect(await send({ from: owner.email, messageId })).toBe('taken')
    expect(await mailsTo(services, owner.email)).toEqual(['key-draft'])

    const token = await tokenMailedTo(services, owner.email)
    expect(await services.keys.findDraft({ token })).toEqual({ kind: 'sign_in_first' })
    expect(await services.keys.findDraft({ token, accountId: stranger.accountId })).toMatchObject({
      kind: 'other_account',
    })
    const draft = await services.keys.findDraft({ token, accountId: owner.accountId })
    expect(draft).toMatchObject({ kind: 'live', name: 'A key, please', description: text })

    const form = confirmation({ token, organizationId }, owner.email)
    const answers = await Promise.all([1, 2].map(() => services.keys.confirmDraft(form, owner.actor)))
    expect(new Set(answers.map((answer) => 'requestId' in answer && answer.requestId)).size).toBe(1)
    expect(await services.prisma.sandboxKeyRequest.count({ where: { organizationId } })).toBe(1)
    expect(await services.keys.findDraft({ token, accountId: owner.accountId })).toEqual({ kind: 'used' })
  })

  test('makes one request when its draft is confirmed for two organizations at once', async () => {
    const { organizationId, owner } = await teams.makeTeam()
    const { id: other } = await services.organizations.create({ name: 'Samplewood Two' }, owner.actor)
    await send({ from: owner.email })
    const token = await tokenMailedTo(services, owner.email)

    const answers = await Promise.all(
      [organizationId, other, organizationId, other].map((each) =>
        services.keys.confirmDraft(confirmation({ token, organizationId: each }, owner.email), owner.actor),
      ),
    )

    const requests = await services.prisma.sandboxKeyRequest.findMany({
      where: { organizationId: { in: [organizationId, other] } },
    })
    expect(requests).toHaveLength(1)
    expect(answers.filter(({ kind }) => kind === 'requested')).toEqual(
      Array(2).fill({ kind: 'requested', requestId: requests[0]?.id }),
    )
    expect(answers.filter(({ kind }) => kind === 'used')).toHaveLength(2)
    const draft = await services.prisma.keyDraft.findFirst({ where: { email: owner.email } })
    expect(draft).toMatchObject({ requestId: requests[0]?.id, confirmedAt: services.clock() })
    expect(await mailsTo(services, owner.email)).toEqual(['key-draft', 'key-request-received'])
  })

  test('keeps its link when the request behind it is refused', async () => {
    const { organizationId, owner } = await teams.makeTeam()
    await send({ from: owner.email })
    const token = await tokenMailedTo(services, owner.email)
    const form = confirmation({ token, organizationId }, owner.email)

    const old = services.keys.confirmDraft({ ...form, termsVersion: 'older' }, owner.actor)

    expect(await kindOfProblem(old)).toBe('validation')
    expect(await services.keys.findDraft({ token, accountId: owner.accountId })).toMatchObject({
      kind: 'live',
    })
    expect(await services.keys.confirmDraft(form, owner.actor)).toMatchObject({ kind: 'requested' })
  })

  test('is refused when it is too large or for somebody else, and a machine’s gets no answer', async () => {
    const { email } = await teams.makePerson()

    expect(await send({ from: email, text: 'x'.repeat(300_000) })).toBe('refused 552')
    expect(await send({ from: email, to: 'else@sandpiper.example' })).toBe('refused 550')
    expect(await send({ from: email, headers: { 'auto-submitted': 'auto-replied' } })).toBe('taken')
    expect(await mailsTo(services, email)).toEqual([])
  })

  test('is answered three times an hour at most, and keeps no key that somebody wrote into it', async () => {
    const { email } = await teams.makePerson()
    const secret = 'svc_tAAAAAAAbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb000000'

    for (let round = 0; round < 4; round++) await send({ from: email, text: `Extend ${secret} please` })

    expect(await mailsTo(services, email)).toHaveLength(3)
    const drafts = await services.prisma.keyDraft.findMany({ where: { email } })
    expect(JSON.stringify(drafts)).not.toContain(secret)
    services.advance(73 * 3_600_000)
    expect(await services.keys.forgetDrafts(services.clock())).toBeGreaterThanOrEqual(3)
    const token = await tokenMailedTo(services, email)
    expect(await services.keys.findDraft({ token })).toEqual({ kind: 'expired' })
  })
})
