/** Every field of a form that takes any text and that others read: warned about, and kept only with a reason. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isProblem } from '../../server/contract/http/problems.ts'
import { newTextReview } from '../../server/contract/text/text-warnings.ts'
import { productionInfoReasons } from '../../server/contract/workflows/production-key-review.ts'
import { infoReasons } from '../../server/contract/workflows/registration-checks.ts'
import { registrationFields } from '../../server/contract/workflows/registration-form.ts'
import { securityQuestionIds } from '../../server/contract/workflows/security-questions.ts'
import type { Actor } from '../../server/domain/actor.ts'
import {
  exempt,
  findFreeTextFields,
  formModules,
  isExempt,
  plantedText,
} from '../support/free-text-fields.ts'
import { keyRequestForm } from '../support/key-request.ts'
import { stopActs } from '../support/practice-stop.ts'
import { party, productionKeySupport } from '../support/production-keys.ts'
import { completeForm, registrationServices } from '../support/registrations.ts'
import { slice } from '../support/slice.ts'

const { makeStaff, team, draftFor } = productionKeySupport(() => services)
let people: Record<'ops' | 'reviewer' | 'developer', () => Actor>

const services = await registrationServices()
const made = await team()
const organizationId = made.organizationId
const [ops, reviewer] = [await makeStaff('ops'), await makeStaff('reviewer')]
people = { ops: ops.fresh, reviewer: reviewer.fresh, developer: made.owner.fresh }

const once = () => ({ version: 1, idempotencyKey: randomUUID() })
const request = () => ({ requestId: randomUUID(), ...once() })
const registration = () => ({ registrationId: randomUUID(), ...once() })
const agreement = () => ({ agreementId: randomUUID(), ...once() })
const incident = () => ({ id: randomUUID(), version: 1, reason: 'Written for a test of the scan.' })
const components = { academy: 'degraded' } as never
const itemId = randomUUID()
type Act = (text: string, as: typeof people) => Promise<unknown>
const keyRequest = (text: string) => keyRequestForm(services, organizationId, { projectDescription: text })
const more =
  (kind: 'limits' | 'key_term'): Act =>
  (reason, { developer }) =>
    services.registrations.requestOther(
      {
        kind,
        organizationId,
        subjectId: randomUUID(),
        reason,
        requested: kind === 'limits' ? { burst: 60, sustained: 600 } : { days: 90 },
        idempotencyKey: randomUUID(),
      },
      developer(),
    )
const baa =
  (field: string): Act =>
  (text, { developer }) =>
    services.agreements.edit(
      { ...agreement(), comment: 'Changed for a test.', fields: { [field]: text } as never, upload: null },
      developer(),
    )
const form =
  (field: string): Act =>
  (text, { developer }) =>
    services.registrations.saveDraft(
      {
        registrationId: null,
        organizationId,
        form: completeForm({ [field]: field === 'redirectUris' ? [text] : text }),
        version: null,
        idempotencyKey: randomUUID(),
      },
      developer(),
    )
const newApp =
  (field: 'name' | 'redirectUris'): Act =>
  (text, { developer }) => {
    const answers = {
      audience: 'patient' as const,
      keys: '',
      name: 'Tidepath',
      redirectUris: ['http://localhost:5173/'],
    }
    const app = { ...answers, [field]: field === 'name' ? text : [text] }
    return services.registrations.createApp(
      { organizationId, app, idempotencyKey: randomUUID() },
      developer(),
    )
  }
const production: Act = (justification, { developer }) => {
  const draft = draftFor('fennmoor', people.developer().accountId, { justification })
  return services.productionKeys.create({ organizationId, draft, idempotencyKey: randomUUID() }, developer())
}
const profile =
  (field: string): Act =>
  (text, { developer }) => {
    const answers = Object.fromEntries(securityQuestionIds.map((id) => [id, `Answered in full for ${id}.`]))
    return services.productionKeys.profiles.save(
      { organizationId, version: 1, answers: { ...party, ...answers, [field]: text } as never },
      developer(),
    )
  }

const acts: Record<string, Act> = {
  'agreementEdit.comment': (comment, { developer }) =>
    services.agreements.edit({ ...agreement(), comment, fields: {} as never, upload: null }, developer()),
  'agreementForms.attest.statement': (statement, { developer }) =>
    services.agreements.attest(
      { ...agreement(), outcome: 'returned', statement, legalName: 'Robin Testwell', title: 'Owner' },
      developer(),
    ),
  'agreementForms.reject.comment': (comment, { developer }) =>
    services.agreements.reject({ ...agreement(), comment }, developer()),
  'agreementForms.terminate.comment': (comment, { developer }) =>
    services.agreements.terminate({ ...agreement(), comment, effectiveOn: null }, developer()),
  'agreementForms.withdraw.comment': (comment, { developer }) =>
    services.agreements.withdraw({ ...agreement(), comment }, developer()),
  'answerReviewForm.projectDescription': (projectDescription, { developer }) =>
    services.keys.answerReview({ requestId: randomUUID(), projectDescription }, developer()),
  'appLimitsForm.reason': more('limits'),
  'keyLimitsForm.reason': more('limits'),
  'keyTermForm.reason': more('key_term'),
  ...Object.fromEntries(
    [
      'developerAddress',
      'developerContactName',
      'developerLegalName',
      'practiceAddress',
      'practiceContactName',
      'practiceLegalName',
      'services',
      'subcontractors',
    ].map((field) => [`baaFields.${field}`, baa(field)]),
  ),
  'editUpdateForm.reason': (reason, { ops }) =>
    services.status.editIncidentUpdate(
      { ...incident(), update: randomUUID(), text: 'Edited.', reason },
      ops(),
    ),
  'editUpdateForm.text': (text, { ops }) =>
    services.status.editIncidentUpdate({ ...incident(), update: randomUUID(), text }, ops()),
  'factorResetForm.reason': (reason, { ops }) =>
    services.mfaAdmin.reset({ accountId: randomUUID(), reason }, ops()),
  'keyDraftForm.projectDescription': (text, { developer }) =>
    services.keys.requestSandboxKey(keyRequest(text), developer()),
  'firstKeyForm.projectDescription': (text, { developer }) =>
    services.keys.takeFirstKey({ organizationName: 'Larkfield', ...keyRequest(text) }, developer()),
  'keyRequestForm.projectDescription': (text, { developer }) =>
    services.keys.requestSandboxKey(keyRequest(text), developer()),
  'limitGrantForm.reason': (reason, { ops }) =>
    services.keys.grantLimits({ prefix: 'svc_t0000000', burst: 10, sustained: 100, reason }, ops()),
  'openIncidentForm.reason': (reason, { ops }) =>
    services.status.openIncident(
      { ...incident(), kind: 'incident', title: 'Slow', text: 'Slow.', components, reason },
      ops(),
    ),
  'openIncidentForm.text': (text, { ops }) =>
    services.status.openIncident({ ...incident(), kind: 'incident', title: 'Slow', text, components }, ops()),
  'opsActForm.reason': (reason, { ops }) =>
    services.operations.perform('give_up_job', { id: randomUUID(), version: 0, reason }, ops()),
  'postMortemForm.reason': (reason, { ops }) =>
    services.status.writePostMortem({ ...incident(), text: 'What happened.', reason }, ops()),
  'postMortemForm.text': (text, { ops }) => services.status.writePostMortem({ ...incident(), text }, ops()),
  'updateIncidentForm.reason': (reason, { ops }) =>
    services.status.updateIncident(
      { ...incident(), stage: 'identified', text: 'Found.', components, reason },
      ops(),
    ),
  'updateIncidentForm.text': (text, { ops }) =>
    services.status.updateIncident({ ...incident(), stage: 'identified', text, components }, ops()),
  'productionDraft.justification': production,
  'productionPartial.justification': production,
  'productionForms.appeal.text': (text, { developer }) =>
    services.productionKeys.appeal({ ...request(), text }, developer()),
  'productionForms.resubmit.answers.text': (text, { developer }) =>
    services.productionKeys.resubmit({ ...request(), answers: [{ id: itemId, text }] }, developer()),
  'productionReviewForms.ask.items.text': (text, { reviewer }) =>
    services.productionKeys.reviews.requestInfo(
      { ...request(), items: [{ code: Object.keys(productionInfoReasons)[0] ?? '', text }] },
      reviewer(),
    ),
  'productionReviewForms.close.reason': (reason, { ops }) =>
    services.productionKeys.reviews.endHold({ ...request(), reason, outcome: 'close' }, ops()),
  'productionReviewForms.release.reason': (reason, { ops }) =>
    services.productionKeys.reviews.endHold({ ...request(), reason, outcome: 'release' }, ops()),
  'productionReviewForms.dismiss.text': (text, { reviewer }) =>
    services.productionKeys.reviews.dismissRejection({ ...request(), text }, reviewer()),
  'productionReviewForms.propose.text': (text, { reviewer }) =>
    services.productionKeys.reviews.proposeRejection({ ...request(), codes: ['abuse'], text }, reviewer()),
  'productionReviewForms.reinstate.reason': (reason, { ops }) =>
    services.productionKeys.reinstate({ ...request(), reason }, ops()),
  'productionReviewForms.suspend.reason': (reason, { ops }) =>
    services.productionKeys.suspend({ ...request(), reason }, ops()),
  'sponsorForms.confirm.address': (address, { developer }) =>
    services.productionKeys.sponsors.confirm(
      {
        ...request(),
        ...party,
        address,
        signatoryId: randomUUID(),
        signatoryName: 'Zoë',
        signatoryTitle: 'Owner',
      },
      developer(),
    ),
  'sponsorForms.decline.reason': (reason, { developer }) =>
    services.productionKeys.sponsors.decline({ ...request(), reason }, developer()),
  'sponsorForms.endSponsorship.reason': (reason, { developer }) =>
    services.productionKeys.sponsors.endSponsorship({ ...request(), reason }, developer()),
  'sponsorForms.notUs.reason': (reason, { developer }) =>
    services.productionKeys.sponsors.notUs({ ...request(), reason }, developer()),
  ...stopActs(() => services),
  ...Object.fromEntries(
    ['address', ...securityQuestionIds].map((field) => [`profileForm.${field}`, profile(field)]),
  ),
  ...Object.fromEntries(registrationFields.map((field) => [`registrationForm.${field}`, form(field)])),
  'newAppForm.name': newApp('name'),
  'newAppForm.redirectUris': newApp('redirectUris'),
  'registrationForms.appeal.text': (text, { developer }) =>
    services.registrations.appeal({ ...registration(), text }, developer()),
  'registrationForms.resubmit.answers.text': (text, { developer }) =>
    services.registrations.answer({ ...registration(), answers: [{ itemId: 'x', text }] }, developer()),
  'reviewDecisionForms.decline.note': (note, { reviewer }) =>
    services.keys.decide(
      { requestId: randomUUID(), version: 0, decision: { kind: 'decline', codes: [], note } },
      reviewer(),
    ),
  'reviewDecisionForms.request_info.note': (note, { reviewer }) =>
    services.keys.decide(
      { requestId: randomUUID(), version: 0, decision: { kind: 'request_info', codes: [], note } },
      reviewer(),
    ),
  'reviewForms.ask.items.text': (text, { reviewer }) =>
    services.registrations.reviews.requestInfo(
      { ...registration(), items: [{ code: Object.keys(infoReasons)[0], text }] } as never,
      reviewer(),
    ),
  'reviewForms.dismiss.text': (text, { reviewer }) =>
    services.registrations.reviews.dismissRejection({ ...registration(), text }, reviewer()),
  'reviewForms.note.text': (text, { reviewer }) =>
    services.registrations.reviews.note({ registrationId: randomUUID(), text }, reviewer()),
  'reviewForms.propose.text': (text, { reviewer }) =>
    services.registrations.reviews.proposeRejection({ ...registration(), codes: [], text }, reviewer()),
  'reviewForms.reinstate.reason': (reason, { ops }) =>
    services.registrations.reviews.reinstate({ ...registration(), reason }, ops()),
  'reviewForms.retire.reason': (reason, { ops }) =>
    services.registrations.reviews.retire({ ...registration(), reason }, ops()),
  'reviewForms.retry.reason': (reason, { ops }) =>
    services.registrations.reviews.retry({ ...registration(), reason }, ops()),
  'reviewForms.suspend.evidence': (evidence, { ops }) =>
    services.registrations.reviews.suspend({ ...registration(), reason: 'For a test.', evidence }, ops()),
  'reviewForms.suspend.reason': (reason, { ops }) =>
    services.registrations.reviews.suspend({ ...registration(), reason, evidence: 'For a test.' }, ops()),
  'reviewForms.verify.evidence': (evidence, { reviewer }) =>
    services.registrations.reviews.verifyAuthenticity({ ...registration(), evidence }, reviewer()),
  'systemDecision.decline.reason': (reason, { developer }) =>
    services.backendAuthorizations.decline({ id: randomUUID(), version: 0, reason }, developer()),
  'systemRequestForm.purpose': (purpose, { developer }) =>
    services.backendAuthorizations.request(
      { clientId: randomUUID(), practiceSlug: 'fennmoor', scope: 'system/Patient.rs', purpose },
      developer(),
    ),
}

async function outcomeOf(work: Promise<unknown>) {
  try {
    await work
    return null
  } catch (thrown) {
    if (!isProblem(thrown)) throw thrown
    return thrown
  }
}

/** Every act by somebody who says this of the warnings. */
const as = (kept: { keepText: string[]; keepReason: string } | null) => {
  const say = (person: typeof people.developer) => () => ({ ...person(), textReview: newTextReview(kept) })
  return Object.fromEntries(Object.entries(people).map(([who, fresh]) => [who, say(fresh)])) as typeof people
}

test('every field that takes any text is warned about or exempt for a reason', async () => {
  const fields = await findFreeTextFields()

  expect(fields.length).toBeGreaterThan(80)
  expect(fields.filter((field) => !isExempt(field) && !(field in acts))).toEqual([])
  expect(exempt.filter(([pattern]) => !fields.some((field) => pattern.test(field)))).toEqual([])
})

test('every form that the portal reads is in a module that is looked through', () => {
  const app = join(import.meta.dirname, '../../app')
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const missed = files.flatMap((name) => {
    const source = readFileSync(join(app, name), 'utf8')
    const read = [
      ...source.matchAll(
        /(?:read(?:Form|Submission)|run(?:Form|Action))\(\s*[\w.]+,\s*(\w+)[,)]|\bschema: (\w+)|(\w+)\.safeParse\(/g,
      ),
    ]
    return read.flatMap(([, ...names]) => {
      const schema = names.find((each) => each !== undefined)
      const from = new RegExp(
        `import[^;]*?\\b${schema}\\b[^;]*?from '[./]*server/contract/([\\w/-]+\\.ts)'`,
      ).exec(source)
      const module = from?.[1]
      // A call of the explorer is sent, not stored.
      const looked = schema === 'z' || schema === 'explorerCallSchema' || formModules.test(module ?? '')
      return module && !looked ? [`${name}: ${schema} of ${module}`] : []
    })
  })

  expect(missed).toEqual([])
})

describe('the scan of text', () => {
  const findScanned = async () => (await findFreeTextFields()).filter((each) => !isExempt(each))

  test('warns in every field, and neither repeats nor stores what it saw', async () => {
    for (const field of await findScanned()) {
      const problem = await outcomeOf(acts[field]?.(plantedText, as(null)) ?? Promise.resolve())
      expect(problem?.kind, field).toBe('text_warning')
      expect(problem?.field, field).toBeTruthy()
      expect(`${problem?.message} ${problem?.detail}`).not.toContain('Kx7pQ9')
    }
  })

  test('lets every field pass with a reason, and refuses a reason with a secret', async () => {
    for (const field of slice(await findScanned(), 20)) {
      const warned = await outcomeOf(acts[field]?.(plantedText, as(null)) ?? Promise.resolve())
      const keepText = [warned?.field ?? '']
      const outcomeFor = async (keepReason: string) =>
        (await outcomeOf(acts[field]?.(plantedText, as({ keepText, keepReason })) ?? Promise.resolve()))?.kind
      expect(await outcomeFor(`See svc_t${'A'.repeat(46)} in our vault.`), field).toBe('text_warning')
      expect(await outcomeFor('It is a sample value of our documentation.'), field).not.toBe('text_warning')
    }
  })

  test('refuses a secret of a known shape whatever the reason', async () => {
    const secret = `We use svc_t${'A'.repeat(46)} for this, and these are words for a field of a form.`
    for (const [field, act] of Object.entries(acts)) {
      if (isExempt(field) || /^(registrationForm\.(?!description)|newAppForm\.)/.test(field)) continue
      const keepText = [field.split('.').at(-1) ?? '']
      const kept = { keepText, keepReason: 'It is a sample of our documentation.' }
      const problem = await outcomeOf(act(secret, as(kept)))
      expect(problem?.kind, field).toBe('validation')
    }
  })
})

test('a revocation is never held up by its reason', async () => {
  const { developer } = as(null)
  const secret = `${plantedText} svc_t${'A'.repeat(46)}`

  const outcomes = await Promise.all([
    outcomeOf(services.keys.revoke({ keyId: randomUUID(), reason: secret }, developer())),
    outcomeOf(services.productionKeys.revoke({ ...request(), reason: secret }, developer())),
    outcomeOf(
      services.backendAuthorizations.revoke({ id: randomUUID(), version: 0, reason: secret }, developer()),
    ),
  ])

  expect(outcomes.map((problem) => problem?.kind)).toEqual(['not_found', 'not_found', 'not_found'])
})
