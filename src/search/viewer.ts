export {
  accessOf,
  type Condition,
  readableItems,
  readableSerial,
  readableWhere,
  type Viewer,
} from '../assets/access/viewer.ts';
