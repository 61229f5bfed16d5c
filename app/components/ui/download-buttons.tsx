import { Download } from './icons.ts'

/** Ends a form that downloads a file as PDF or CSV: `format` says which. */
export function DownloadButtons() {
  return (
    <div className="row">
      <button type="submit" name="format" value="pdf" className="btn primary">
        <Download className="i" />
        Download PDF
      </button>
      <button type="submit" name="format" value="csv" className="btn">
        <Download className="i" />
        Download CSV
      </button>
    </div>
  )
}
