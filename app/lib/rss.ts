/** A feed as RSS 2.0, https://www.rssboard.org/rss-specification */
import { escapeHtml } from './markdown.server.ts'

interface Feed {
  readonly title: string
  readonly description: string
  /** `link` is the page with the same content, `self` the feed's own URL. */
  readonly link: string
  readonly self: string
  readonly builtAt?: Date
  readonly items: readonly {
    readonly title: string
    readonly link: string
    readonly at: Date
    readonly html: string
  }[]
}

export function rssOf({ title, description, link, self, builtAt, items }: Feed): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    `<title>${escapeXml(title)}</title>`,
    `<link>${escapeXml(link)}</link>`,
    `<atom:link href="${escapeXml(self)}" rel="self" type="application/rss+xml"/>`,
    `<description>${escapeXml(description)}</description>`,
    '<language>en</language>',
    ...(builtAt ? [`<lastBuildDate>${builtAt.toUTCString()}</lastBuildDate>`] : []),
    ...items.map((item) =>
      [
        '<item>',
        `<title>${escapeXml(item.title)}</title>`,
        `<link>${escapeXml(item.link)}</link>`,
        `<guid isPermaLink="true">${escapeXml(item.link)}</guid>`,
        `<pubDate>${item.at.toUTCString()}</pubDate>`,
        `<description>${escapeXml(item.html)}</description>`,
        '</item>',
      ].join(''),
    ),
    '</channel></rss>',
    '',
  ].join('\n')
}

/** Escapes text for XML. Characters that XML 1.0 forbids even then become the replacement character. */
export const escapeXml = (text: string) =>
  escapeHtml(text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
