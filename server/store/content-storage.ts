/** Where the bytes of contents are, and the bucket for those in object storage. */
import type { S3Client } from './s3-client.ts'

export const contentPlaces = ['database', 'object'] as const
export type ContentPlace = (typeof contentPlaces)[number]

export interface ContentStorage {
  /** Where new contents go. */
  readonly place: ContentPlace
  /** Null: no bucket is set. */
  readonly objects: S3Client | null
  /** Of the bucket: the public origin of its installation. */
  readonly owner: string
}

export const inDatabase: ContentStorage = { place: 'database', objects: null, owner: '' }
