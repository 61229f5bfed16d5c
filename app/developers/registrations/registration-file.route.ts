/** A registration as a JSON file, which another organization or environment can read in. */
import { toRegistrationFile } from '../../../server/contract/workflows/registration-form.ts'
import { attachment } from '../../lib/attachment.ts'
import { page } from '../../services.server.ts'
import { getRegistration } from './registration.server.ts'

export const loader = page(async (args) => {
  const { view } = await getRegistration(args)
  const file = { name: 'registration.json', type: 'application/json; charset=utf-8' }
  return attachment(toRegistrationFile(view.form), file)
})
