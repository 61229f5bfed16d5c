/** A registration as a JSON file, which another organization or environment can read in. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { toRegistrationFile } from '../../../server/contract/workflows/registration-form.ts'
import { page } from '../../services.server.ts'
import { getRegistration } from './registration.server.ts'

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { view } = await getRegistration(args)
  return new Response(toRegistrationFile(view.form), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="registration.json"',
      'cache-control': 'no-store',
    },
  })
})
