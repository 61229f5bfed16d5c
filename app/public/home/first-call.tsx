import { Link } from '@remix-run/react'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { guidePath } from '../../shared/guides/guide-path.ts'

/** The path from here to a first call, with the command as it is typed. */
export function FirstCall({ base }: { base: string }) {
  const command = `BASE=${base}\ncurl "$BASE/patients?mrn=SYN-004217" -H "Authorization: Bearer $SVC_KEY"`
  return (
    <Card id="path" title="Your first call" aside={<span className="small muted">2 min</span>}>
      <div className="pad">
        <ol className="path">
          <Step at="0:00" title="Sign up with a work email">
            Open the link we email you.
          </Step>
          <Step at="0:40" title="Describe what you are building">
            Fifty characters, a technical contact, the sandbox terms.
          </Step>
          <Step at="1:20" title="Claim your key">
            Shown once. We store only a hash of it.
          </Step>
          <li>
            <span className="t">1:45</span>
            <div className="stack tight">
              <b>Call</b>
              <CodeBlock label="Example request and response" bar="Terminal" copy={command}>
                <span className="p">$</span> BASE=<span className="s">{base}</span>
                {'\n'}
                <span className="p">$</span> curl <span className="s">"$BASE/patients?mrn=SYN-004217"</span> \
                {'\n'}
                {'    '}-H <span className="s">"Authorization: Bearer $SVC_KEY"</span>
                {'\n\n'}
                <Answer />
              </CodeBlock>
            </div>
          </li>
        </ol>
      </div>
      <footer>
        <Link to={guidePath('start')}>Your first call in two minutes</Link>, step by step
      </footer>
    </Card>
  )
}

function Step({ at, title, children }: { at: string; title: string; children: string }) {
  return (
    <li>
      <span className="t">{at}</span>
      <div>
        <b>{title}</b>
        <p className="muted">{children}</p>
      </div>
    </li>
  )
}

/** A pinned person of the template dataset (seed/cast.ts). Fields left out are drawn as dots. */
function Answer() {
  return (
    <>
      {'{ '}
      <K>data</K>
      {': [{\n    '}
      <K>id</K>: <S>pt-wren-testwell</S>
      {',\n    '}
      <K>mrn</K>: <S>SYN-004217</S>
      {',\n    '}
      <K>name</K>
      {': { '}
      <K>family</K>: <S>Testwell</S>
      {',\n              '}
      <K>given</K>: [<S>Wren</S>
      {'] },\n    '}
      <K>birthDate</K>: <S>1971-04-09</S>
      {', '}
      <span className="p">…</span>
      {' }], '}
      <span className="p">…</span>
      {' }'}
    </>
  )
}

const K = ({ children }: { children: string }) => <span className="k">"{children}"</span>
const S = ({ children }: { children: string }) => <span className="s">"{children}"</span>
