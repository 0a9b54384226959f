import { judgeLoads } from './loop/judge.ts';

judgeLoads(0);
