import { paths } from '../../../server/contract/portal/paths.ts'
import { Button } from '../../components/ui/button.tsx'

/**
 * One click, no script, no sign-in. A plain form, since the page is the same for everybody and may come from a cache.
 * @param path of the page that is read
 * @param edited day of its last change, where it shows one
 */
export function WasItHelpful({ path, edited }: { path: string; edited: string | null }) {
  return (
    <form method="post" action={paths.docsFeedback} className="row" aria-labelledby="was-it-helpful">
      <input type="hidden" name="page" value={path} />
      {edited && <input type="hidden" name="edited" value={edited} />}
      <p id="was-it-helpful">Was this page helpful?</p>
      <Button type="submit" name="answer" value="yes" look="outline">
        Yes
      </Button>
      <Button type="submit" name="answer" value="no" look="outline">
        No
      </Button>
    </form>
  )
}
