/** The button that ends an export, on the pages of a practice and of a developer. */
import type { Actor } from '../../../server/domain/actor.ts'
import type * as exportAdminVerbs from '../../../server/domain/bulk-exports/export-admin.ts'
import type { WithCore } from '../../../server/domain/core.ts'
import { goOn, readFields, refusalOf } from '../../lib/submission.server.ts'

/** @returns a redirect to the page, or its error if the export can't be canceled any more */
export async function cancelShownExport(
  request: Request,
  {
    exportAdmin,
    actor,
    page,
  }: { exportAdmin: WithCore<typeof exportAdminVerbs>; actor: Actor; page: string },
) {
  const id = String((await readFields(request)).get('id') ?? '')
  try {
    await exportAdmin.cancel(id, actor)
  } catch (thrown) {
    return refusalOf(thrown)
  }
  return goOn(page, 'export_cancelled')
}
