#!/usr/bin/env node
import process from 'node:process';
import { runProgram } from './program.ts';

void runProgram(process.argv.slice(2), process.env);
