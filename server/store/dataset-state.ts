/** What a dataset is for, and how far it has come. */
export type DatasetKind = 'template' | 'practice' | 'demonstration' | 'canary' | 'snapshot'
export type DatasetState = 'loading' | 'ready' | 'deleting'
