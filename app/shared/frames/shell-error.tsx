import { ErrorCard, type ErrorData, ErrorPage, useErrorTitle } from './error-page.tsx'
import { Shell } from './shell.tsx'

/** The error of a page inside its frame. @param props.frame null if its data could not be read either */
export function ShellError({ frame }: { frame: ErrorData['shell'] }) {
  const title = useErrorTitle()
  if (!frame) return <ErrorPage />
  return (
    <Shell {...frame} here={title}>
      <div className="page">
        <ErrorCard />
      </div>
    </Shell>
  )
}
