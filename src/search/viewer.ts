export {
  type Asking,
  accessOf,
  askingOf,
  type Condition,
  readableItems,
  readableSerial,
  readableWhere,
  type Viewer,
  viewerFor,
} from '../assets/access/viewer.ts';
