import { isMainThread, parentPort, type Worker, workerData } from 'node:worker_threads';
import { startProgram } from '../../../src/entry/start-thread.ts';
import { answersOf, readQuestions } from './bare-answers.ts';

/** A thread that answers one question after the other. This file is its program, too. */
export class BareThread {
  readonly #worker: Worker;
  readonly #waiting: ((text: string) => void)[] = [];

  constructor(file: string, questionsFile: string) {
    this.#worker = startProgram(new URL(import.meta.url), { workerData: { file, questionsFile } });
    this.#worker.on('message', (text: string) => this.#waiting.shift()!(text));
  }

  answer(name: string): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(name);
    });
  }
}

if (!isMainThread) {
  const { file, questionsFile } = workerData as { file: string; questionsFile: string };
  const answers = answersOf(file, readQuestions(questionsFile));
  parentPort!.on('message', (name: string) => parentPort!.postMessage(answers.get(name)!()));
}
