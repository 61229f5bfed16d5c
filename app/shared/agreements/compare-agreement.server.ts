/** Two versions of an agreement next to each other. For both realms. */
import { data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import {
  baaClauseNames,
  baaClauses,
  templateClauses,
  toClausePlaces,
} from '../../../server/contract/workflows/agreements.ts'
import type { AgreementPage } from '../../../server/domain/agreements/read-agreements.ts'
import { pairLines } from '../../lib/side-by-side.ts'
import { page } from '../../services.server.ts'
import { type AgreementRealm, getAgreement } from './agreement.server.ts'
import { baaFieldLabels } from './baa-field-labels.ts'

type Version = AgreementPage['versions'][number]

/** The versions of the query; without it the last two. @throws a 404 page for a version that is not there */
export function compareLoader(realm: AgreementRealm) {
  return page(async (args: LoaderFunctionArgs) => {
    const { session, agreement, self } = await getAgreement(args, realm)
    const { versions } = agreement
    const query = new URL(args.request.url).searchParams
    const find = (name: string, or: Version | undefined) => {
      const asked = query.get(name)
      const found = asked === null ? or : versions.find(({ number }) => String(number) === asked)
      if (!found) throw data({ message: 'This agreement has no such version.' }, { status: 404 })
      return found
    }
    const [newest, before = newest] = versions
    const [left, right] = [find('from', before), find('to', newest)]
    return {
      account: { name: session.account.name, email: session.account.email },
      self,
      numbers: versions.map(({ number }) => number).sort((one, other) => one - other),
      left: headOf(left),
      right: headOf(right),
      fields: fieldsOf(left, right),
      clauses:
        left.source === 'upload' || right.source === 'upload'
          ? baaClauseNames.map((clause) => ({
              label: baaClauses[clause],
              left: placeOf(left, clause),
              right: placeOf(right, clause),
            }))
          : [],
      lines:
        left.markdown === null || right.markdown === null
          ? null
          : pairLines(left.markdown, right.markdown).filter((row) => row.left !== '' || row.right !== ''),
    }
  })
}

function headOf({ number, source, fileName, sha256, comment, createdAt, bySide }: Version) {
  return { number, isUpload: source === 'upload', fileName, sha256, comment, createdAt, bySide }
}

function placeOf(version: Version, clause: (typeof baaClauseNames)[number]): string {
  if (version.source !== 'upload') return templateClauses[clause]
  return toClausePlaces(version.clausePlaces)[clause] ?? 'Selected, without a place'
}

function fieldsOf(left: Version, right: Version) {
  const [one, other] = [left.fields, right.fields] as Record<string, string | number>[]
  return [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])].map((name) => ({
    label: baaFieldLabels[name] ?? name,
    left: String(one?.[name] ?? ''),
    right: String(other?.[name] ?? ''),
  }))
}
