import { Form } from '@remix-run/react'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'

/** A registration as a JSON file, out and in. */
export function DraftFile({ file }: { file: string | null }) {
  return (
    <Card id="as-file" title="Import and export">
      <div className="pad stack">
        {file && (
          <p>
            <a href={file} download>
              Download as JSON
            </a>
            <span className="small muted"> Without attestations and logo.</span>
          </p>
        )}
        <Form method="post" encType="multipart/form-data" className="stack">
          <div className="field">
            <label htmlFor="file">Fill in the form from a file</label>
            <input className="input" type="file" id="file" name="file" accept="application/json" />
          </div>
          <div>
            <Button type="submit" name="intent" value="import">
              Import file
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  )
}
