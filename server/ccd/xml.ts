/** XML as text that is escaped once: what is not of type `Xml` cannot get into a document unescaped. */

declare const escaped: unique symbol
/** Well-formed: whole elements, or character data. */
export type Xml = string & { readonly [escaped]: true }

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>
export type Child = Xml | null | undefined | false | readonly Child[]

const none = '' as Xml

/** Attributes without a value are left out. Children must be escaped: see `text`. */
export function el(name: string, attributes: Attributes, ...children: readonly Child[]): Xml {
  const start = `<${name}${attributesOf(attributes)}`
  const inner = join(children)
  return (inner === '' ? `${start}/>` : `${start}>${inner}</${name}>`) as Xml
}

/** The start of an element that is closed later, with `close`. */
export const open = (name: string, attributes: Attributes): Xml =>
  `<${name}${attributesOf(attributes)}>` as Xml

export const close = (name: string): Xml => `</${name}>` as Xml

export function join(children: readonly Child[]): Xml {
  let all: string = none
  for (const child of children) {
    if (typeof child === 'string') all += child
    else if (Array.isArray(child)) all += join(child)
  }
  return all as Xml
}

/** Character data. */
export const text = (value: string): Xml => (isPlain(value) ? (value as Xml) : escapedText(value))

const escapedText = (value: string): Xml => permitted(value).replace(/[&<>\r]/g, inText) as Xml

function attributesOf(attributes: Attributes): string {
  let all = ''
  for (const name in attributes) {
    const value = attributes[name]
    if (value === undefined || value === null) continue
    all += ` ${name}="${attribute(String(value))}"`
  }
  return all
}

const attribute = (value: string): string =>
  isPlain(value) ? value : permitted(value).replace(/[&<>"\t\n\r]/g, inAttribute)

/** Nearly all that is written: printable ASCII without the four that mean something. */
function isPlain(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at)
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x26 || unit === 0x3c || unit === 0x3e)
      return false
  }
  return true
}

/**
 * What XML 1.0 forbids even when it is escaped becomes the replacement character.
 * https://www.w3.org/TR/xml/#charsets
 */
function permitted(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  return value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const inText = (character: string): string => entities[character] ?? '&#13;'

/** White space in an attribute would be read as spaces. */
const inAttribute = (character: string): string => entities[character] ?? `&#${character.charCodeAt(0)};`
