import { redirect } from '@remix-run/server-runtime'
import { safeRedirect } from '../lib/safe-redirect.ts'
import { readFields } from '../lib/submission.server.ts'
import { parseTheme, themeCookie } from '../lib/theme.ts'
import { page } from '../services.server.ts'

export const loader = () => redirect('/')

/** Stores the theme in a cookie and redirects to the visitor's last page. */
export const action = page(async ({ request }) => {
  const form = await readFields(request)
  return redirect(safeRedirect(form.get('back')), {
    headers: { 'set-cookie': themeCookie(parseTheme(form.get('theme'))) },
  })
})
