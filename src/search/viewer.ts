export { accessOf, type Condition, readableSerial, readableWhere, type Viewer } from '../assets/access/viewer.ts';
