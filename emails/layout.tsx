/** The HTML form of a letter. Inline styles in the portal's light colors; mail programs in dark mode get the dark ones. */
import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import type { Letter } from './letter.ts'

const light = {
  ground: '#f9faf9',
  surface: '#ffffff',
  ink: '#12211f',
  muted: '#4d5f5b',
  line: '#dfe5e2',
  accent: '#0a5c59',
  onAccent: '#ffffff',
  turnSoft: '#fff5df',
  turnLine: '#e6bf73',
}

const darkRules = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .ground { background-color: #0e1615 !important; }
    .surface { background-color: #141f1d !important; border-color: #263633 !important; }
    .ink { color: #e7efec !important; }
    .muted { color: #a2b4b0 !important; }
    .rule { border-color: #263633 !important; }
    .turn { background-color: #2d2310 !important; border-color: #6d5323 !important; }
    .button { background-color: #62c3b8 !important; color: #06201e !important; }
    .accent { color: #6fccc2 !important; }
  }`

const sans =
  "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', system-ui, -apple-system, Helvetica, Arial, sans-serif"
const mono = "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace"
const text = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', color: light.ink }
const label = { margin: '0', fontSize: '13px', lineHeight: '20px', color: light.muted }
const value = { margin: '0 0 12px', fontSize: '15px', lineHeight: '22px', color: light.ink }

type LayoutProps = { letter: Letter; reference: string; home: string }

export function Layout({ letter, reference, home }: LayoutProps) {
  const todo: (readonly [string, string])[] = [
    ['What to do', letter.todo],
    ...(letter.byWhen ? [['By when', letter.byWhen] as const] : []),
    ['If you do nothing', letter.otherwise],
  ]
  return (
    <Html lang="en" dir="ltr">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkRules}</style>
      </Head>
      <Preview>{letter.preview}</Preview>
      <Body style={{ margin: '0', fontFamily: sans, overflowWrap: 'anywhere' }}>
        {/* A section of its own: what stands on Body is copied to a cell that dark rules cannot reach. */}
        <Section className="ground" style={{ padding: '24px 12px', backgroundColor: light.ground }}>
          <Container
            className="surface"
            style={{
              maxWidth: '600px',
              padding: '32px 28px',
              backgroundColor: light.surface,
              border: `1px solid ${light.line}`,
              borderRadius: '12px',
            }}
          >
            <Text className="muted" style={{ ...label, margin: '0 0 20px', fontWeight: 600 }}>
              Sandpiper
            </Text>
            <Heading
              as="h1"
              className="ink"
              style={{
                margin: '0 0 16px',
                fontSize: '22px',
                lineHeight: '28px',
                fontWeight: 640,
                color: light.ink,
              }}
            >
              {letter.heading}
            </Heading>
            <Text className="ink" style={text}>
              {letter.happened}
            </Text>
            <Text className="ink" style={text}>
              {letter.means}
            </Text>
            <Section
              className={letter.byWhen ? 'turn' : 'surface'}
              style={{
                margin: '0 0 20px',
                padding: '16px 16px 4px',
                backgroundColor: letter.byWhen ? light.turnSoft : light.surface,
                border: `1px solid ${letter.byWhen ? light.turnLine : light.line}`,
                borderRadius: '8px',
              }}
            >
              {todo.map(([name, words]) => (
                <Row key={name} name={name} words={words} />
              ))}
            </Section>
            {letter.action ? <Action {...letter.action} /> : null}
            {letter.facts.map(([name, words]) => (
              <Row key={name} name={name} words={words} />
            ))}
            <Hr className="rule" style={{ margin: '20px 0 16px', borderColor: light.line }} />
            <Text className="muted" style={label}>
              Request <span style={{ fontFamily: mono }}>{reference}</span>
            </Text>
            <Text className="muted" style={label}>
              Sent by Sandpiper,{' '}
              <Link className="accent" href={home} style={{ color: light.accent }}>
                {home}
              </Link>
              . All patients there are synthetic.
            </Text>
          </Container>
        </Section>
      </Body>
    </Html>
  )
}

function Row({ name, words }: { name: string; words: string }) {
  return (
    <>
      <Text className="muted" style={label}>
        {name}
      </Text>
      <Text className="ink" style={value}>
        {words}
      </Text>
    </>
  )
}

function Action({ label: words, url }: { label: string; url: string }) {
  return (
    <>
      <Button
        className="button"
        href={url}
        style={{
          padding: '12px 20px',
          backgroundColor: light.accent,
          color: light.onAccent,
          fontSize: '16px',
          fontWeight: 600,
          borderRadius: '8px',
          textDecoration: 'none',
        }}
      >
        {words}
      </Button>
      <Text className="muted" style={{ ...label, margin: '12px 0 20px', wordBreak: 'break-all' }}>
        Or open this link:{' '}
        <Link className="accent" href={url} style={{ color: light.accent }}>
          {url}
        </Link>
      </Text>
    </>
  )
}
