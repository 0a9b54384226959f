export { accessOf, type Condition, readableWhere, type Viewer } from '../assets/access/viewer.ts';
