import { redirect } from '@remix-run/server-runtime'
import { safeRedirect } from '../lib/safe-redirect.ts'
import { readFields } from '../lib/submission.server.ts'
import { parseTheme, themeCookie } from '../lib/theme.ts'
import { page } from '../services.server.ts'

export const loader = () => redirect('/')

/** Keeps the theme and goes back to where the visitor was. */
export const action = page(async ({ request }) => {
  const form = await readFields(request)
  return redirect(safeRedirect(form.get('back')), {
    headers: { 'set-cookie': themeCookie(parseTheme(form.get('theme'))) },
  })
})
