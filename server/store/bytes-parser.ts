/**
 * Long texts that pass from PostgreSQL to the socket unread stay bytes: a string of each costs several times what
 * copying it does, and its encoding as much again. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { Parser } from 'pg-protocol/dist/parser.js'

/** A text column of this name arrives as a Buffer; any other one as the driver reads it. */
const bytesColumn = 'contentBytes'

type Message = { name: string; length: number; fields?: { name: string }[] }

/** What the driver's types leave out. */
type DriverParser = {
  parse(received: Buffer, take: (message: Message) => void): void
  handlePacket(offset: number, code: number, length: number, received: Buffer): Message
}

const [rowDescription, dataRow] = ['T', 'D'].map((letter) => letter.charCodeAt(0))

export class BytesParser extends (Parser as unknown as new () => DriverParser) {
  /** Its place in the rows that come; -1 without one. */
  #place = -1

  override handlePacket(offset: number, code: number, length: number, received: Buffer): Message {
    if (code === dataRow && this.#place >= 0) return readRow(received, offset, length, this.#place)
    const message = super.handlePacket(offset, code, length, received)
    if (code === rowDescription)
      this.#place = message.fields?.findIndex(({ name }) => name === bytesColumn) ?? -1
    return message
  }
}

function readRow(received: Buffer, offset: number, length: number, place: number) {
  const fields = new Array<string | Buffer | null>(received.readInt16BE(offset))
  let at = offset + 2
  for (let index = 0; index < fields.length; index += 1) {
    const size = received.readInt32BE(at)
    const start = at + 4
    at = start + Math.max(size, 0)
    if (size < 0) fields[index] = null
    // A copy: the driver writes what comes next to the same place.
    else if (index === place) fields[index] = Buffer.from(received.subarray(start, at))
    else fields[index] = received.toString('utf8', start, at)
  }
  return { name: 'dataRow', length, fields } as unknown as Message
}
