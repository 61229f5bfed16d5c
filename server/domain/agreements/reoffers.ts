/** What cannot be signed any more because its bytes or its template changed: a new version is offered, or it is void. */
import type { Agreement, AgreementVersion } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Core } from '../core.ts'
import type { SignOutcome } from './agreement-types.ts'
import { sha256Of } from './render-agreement.ts'
import { dropAmendment } from './replaced-agreement.ts'
import { type Context, transitionIn } from './transition.ts'
import { drawNext, storeVersion } from './versions.ts'

type Texts = Pick<Core, 'agreementTexts'>

/** @returns null when nothing changed and it can be signed */
export async function replaceChanged(
  core: Core,
  { tx, row }: Context,
  version: AgreementVersion,
): Promise<SignOutcome | null> {
  const reason = findChange(core, row, version)
  if (reason === null) return null
  const target = { agreementId: row.id }
  const requireChange = (at: Context) => {
    if (findChange(core, at.row, version) === null) throw new Problem('conflict')
  }
  if (version.markdown === null) {
    await transitionIn(core, tx, target, 'void', 'system', {
      guards: { upload_changed: requireChange },
      effects: ({ now }) => ({
        data: closing(now, reason),
        text: reason,
        after: (closed) => dropAmendment(core, tx, closed),
        emails: () => ({ 'agreement-closed': { reason } }),
      }),
    })
    return { kind: 'changed', message: `${reason} Nothing was signed. The agreement is void.` }
  }
  await transitionIn(core, tx, target, 'reoffer', 'system', {
    guards: { document_changed: requireChange },
    effects: async (at) => {
      const next = await drawNext(core, at, { fields: version.fields, comment: reason })
      await storeVersion(at, next)
      return {
        data: { number: next.number },
        text: reason,
        detail: { sha256: next.sha256 },
        emails: () => ({ 'agreement-changed': { comment: reason, rejected: false } }),
      }
    },
  })
  return { kind: 'changed', message: `${reason} Nothing was signed. This is the new version.` }
}

function findChange(
  { agreementTexts: texts }: Texts,
  { kind }: Agreement,
  version: AgreementVersion,
): string | null {
  if (sha256Of(version.bytes) !== version.sha256)
    return 'The stored document differs from the one that was offered.'
  if (kind !== 'usage_agreement') return null
  // It is signed in the version that is published now, with the policy that is.
  const current = texts.of('usage_agreement').text.sha256 === version.templateSha256
  const policy = (version.markdown ?? '').includes(texts.get('usage-policy').sha256)
  return current && policy ? null : 'A newer version of the text was published.'
}

export const closing = (now: Date, reason: string) => ({ endedAt: now, endReason: reason, openForId: null })
