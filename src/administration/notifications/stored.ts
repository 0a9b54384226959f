import { type DocumentLimits, readJson } from '../../core/documents/index.ts';
import { type PlaceholderNotification, storedNotificationDocument } from './documents/notification.ts';

/** No limits: a stored document can always be read, whichever limits apply now. */
const unlimited: DocumentLimits = {
  bytes: Number.MAX_SAFE_INTEGER,
  depth: 128,
  attributes: Number.MAX_SAFE_INTEGER,
  elements: Number.MAX_SAFE_INTEGER,
  text: Number.MAX_SAFE_INTEGER,
  entries: Number.MAX_SAFE_INTEGER,
  unknown: Number.MAX_SAFE_INTEGER,
};

/** A notification as the database has it: masked. */
export const readStored = (document: string): PlaceholderNotification =>
  readJson(storedNotificationDocument, document, unlimited);
