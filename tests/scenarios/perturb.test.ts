import { expect, it } from "vitest";
import { loadCases } from "../support/cases.ts";
import { MODES, perturb } from "../support/perturb.ts";
import { PythonRandom } from "../support/python-random.ts";

it.each([
  ["a", [0.2720295377534757, 0.06733663088629693, 0.5999141237517758], [4, 1, 4, 0, 4, 3, 0, 2, 2, 4, 2, 0], 0.7718357366522204],
  ["zürich:lag:2", [0.20826332577341566, 0.912171833170075, 0.5554805334370144], [2, 4, 4, 3, 0, 2, 2, 1, 4, 4, 4, 2], 0.2854172746426463],
])("gives the numbers of Python for the seed %j", (seed, first, places, last) => {
  const random = new PythonRandom(seed);
  expect(first.map(() => random.random())).toEqual(first);
  expect(places.map(() => random.choice([0, 1, 2, 3, 4]))).toEqual(places);
  expect(random.random()).toBe(last);
});

it.each(MODES)("%s: the same seed gives the same noise, another one another", (mode) => {
  const noise = (seed: number): string => JSON.stringify(loadCases().map((one) => perturb(one, mode, seed).timeline));
  expect(noise(1)).toBe(noise(1));
  expect(noise(2)).not.toBe(noise(1));
  expect(noise(1)).not.toBe(JSON.stringify(loadCases().map(({ timeline }) => timeline)));
});
