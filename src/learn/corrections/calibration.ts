import { boundOf } from '#numeric/bound-of.ts'
import { type Calibrator, calibrated, fitCalibrator } from '#numeric/learning/calibration.ts'

/** Of each task so many latest fetches are looked at: what held a year ago may not hold now. */
const WINDOW = 4_000
/** A class counts as much as all classes together once so many of its fetches were seen. */
const CLASS_TRUST = 20
/** Corrections are learnt when so many fetches were seen, and anew when so many times as many, or so many more. */
const LEAST_SEEN = 30
const REFIT_AFTER = 1.1
const REFIT_AT_LATEST = WINDOW / 4
/** No prediction is corrected by more than this factor: where all came to nothing, something may yet come. */
const MOST_CORRECTION = 20

/**
 * Predicted against realised gain of one task's fetches, and what that teaches: predictions are corrected
 * by their size (deciles, never against their order), then by a factor of their URL class. When it learns
 * depends on nothing but what it has seen, so that a crawl taken up again corrects as one that never stopped.
 */
export class Calibration {
  readonly #predicted = new Float64Array(WINDOW)
  readonly #realised = new Float64Array(WINDOW)
  readonly #classes = new Uint32Array(WINDOW)
  #seen = 0
  /** The next fit is due when so many were seen. */
  #due = LEAST_SEEN
  #lesson: Lesson | undefined
  #calibrator: Calibrator = { predicted: [0], corrected: [0] }
  /** By class; 1 for those beyond its end. */
  #factors: Float64Array = new Float64Array()

  /** Takes in what a prediction, as it was before any correction, came to. */
  observe(classNumber: number, predicted: number, realised: number): void {
    const place = this.#seen++ % WINDOW
    this.#predicted[place] = predicted
    this.#realised[place] = realised
    this.#classes[place] = classNumber
    if (this.#seen === this.#due) this.#keepLesson()
  }

  /** The prediction, corrected; as it is while little was seen. */
  correct(classNumber: number, predicted: number): number {
    if (this.#seen < LEAST_SEEN) return predicted
    if (this.#lesson) this.#fit(this.#lesson)
    const factor = classNumber < this.#factors.length ? this.#factors[classNumber] : 1
    const corrected = calibrated(this.#calibrator, predicted) * factor
    const [least, most] = [predicted / MOST_CORRECTION, predicted * MOST_CORRECTION]
    return Math.min(most, Math.max(least, corrected))
  }

  /** What is to be learnt from, as it is now; learning itself waits until somebody asks, as a log read again has many fits. */
  #keepLesson(): void {
    const size = Math.min(this.#seen, WINDOW)
    this.#lesson = {
      predicted: this.#predicted.slice(0, size),
      realised: this.#realised.slice(0, size),
      classes: this.#classes.slice(0, size),
    }
    this.#due = Math.min(Math.ceil(REFIT_AFTER * this.#seen), this.#seen + REFIT_AT_LATEST)
  }

  #fit({ predicted, realised, classes }: Lesson): void {
    this.#calibrator = fitCalibrator(predicted, realised)
    const corrected = predicted.map((value) => calibrated(this.#calibrator, value))
    this.#factors = classFactors(classes, corrected, realised)
    this.#lesson = undefined
  }
}

/** Predictions, what came of each, and the class of its URL. */
interface Lesson {
  readonly predicted: Float64Array
  readonly realised: Float64Array
  readonly classes: Uint32Array
}

/** By class: what came over what was predicted, each class beginning as if it had seen so many fetches come as foretold. */
function classFactors(
  classes: Uint32Array,
  predicted: Float64Array,
  realised: Float64Array,
): Float64Array {
  const size = boundOf(classes)
  const [foretold, came] = [new Float64Array(size), new Float64Array(size)]
  for (let i = 0; i < classes.length; i++) {
    foretold[classes[i]] += predicted[i]
    came[classes[i]] += realised[i]
  }
  const mean = predicted.reduce((sum, value) => sum + value, 0) / predicted.length
  const start = CLASS_TRUST * mean
  return foretold.map((sum, number) =>
    start + sum > 0 ? (start + came[number]) / (start + sum) : 1,
  )
}
