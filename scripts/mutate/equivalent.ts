/** Mutations that change nothing that anybody could notice: lines as they become, or their ends, and why. */
export const EQUIVALENT: readonly {
  readonly where: string
  readonly why: string
  readonly become: readonly string[]
}[] = [
  {
    where: 'src/importance/block-pagerank.ts',
    why: 'any number but 0 says that a page is foreign; beyond the last page typed arrays hold nothing and take nothing',
    become: [
      '(isForeign(url) ? 2 : 0))',
      'for (let url = 0; url <= size; url++) {',
      'for (let url = 0; url <= size; url++) if (!foreign[url]) outflow[url] = 0',
    ],
  },
  {
    where: 'src/search/full-text/search-segment.ts',
    why: 'when all lists can be skipped, one more changes nothing: no place is left',
    become: [
      'while (first <= count && cannotWin(bounds[first + 1], weights[first + 1], threshold)) first++',
    ],
  },
  {
    where: 'src/search/full-text/scoring.ts',
    why: 'fields without the word are passed by anyway, only later',
    become: [
      'for (let field = (counts & BESIDE_BODY) === 1 ? BODY : 0; field < FIELDS.length; field++) {',
    ],
  },
  {
    where: 'src/lab/experiments/ordering/ordering-settings.ts',
    why: 'pages are visited in a given order, none is chosen: the seed has no part in it',
    become: ['const crawl = crawlOf(truth, [], 1)'],
  },
  {
    where: 'src/numeric/learning/regression-tree.ts',
    why: 'which rows are set aside is chance, by whatever seed',
    become: ['const random = seededRandom(2)'],
  },
  {
    where: 'src/lab/schedules/fetch-times.ts',
    why: 'a phase that is off by 1 in 4 billion; 1 is added so that it is never 0',
    become: [
      'const phase = (mixHash(seed, page)) / 2 ** 32',
      'const phase = (mixHash(seed, page) - 1) / 2 ** 32',
      'const phase = (mixHash(seed, page) + 2) / 2 ** 32',
    ],
  },
  {
    where: 'src/lab/schedules/staleness.ts',
    why: 'all pages weigh alike, whatever that is',
    become: ['const even = new Float64Array(rates.length).fill(2)'],
  },
  {
    where: 'src/lab/schedules/staleness.ts',
    why: 'less than the budget is asked for only if every page has a fetch a week: a whole number, up to rounding',
    become: ['Math.min(fetchesPerWeek * weeks, Math.floor(asked))'],
  },
  {
    where: 'src/lab/refresh/shingles.ts',
    why: 'beyond the end nothing is equal to anything, and one of the two has ended',
    become: [
      'for (let i = 0, j = 0; i <= a.length && j < b.length; ) {',
      'for (let i = 0, j = 0; i < a.length && j <= b.length; ) {',
    ],
  },
  {
    where: 'src/lab/refresh/shingles.ts',
    why: 'equal ones were dealt with before',
    become: ['} else if (a[i] <= b[j]) i++'],
  },
  {
    where: 'src/policy/refresh/by-fetch-rate.ts',
    why: 'two rates are never equally likely',
    become: ['if (logs[rate] >= logs[best]) best = rate'],
  },
  {
    where: 'src/importance/pagerank.ts',
    why: 'shares in single precision stop moving long before, or not at all',
    become: ['tolerance = 2e-9, onRound } = options'],
  },
  {
    where: 'src/importance/harmonic.ts',
    why: 'another limit of cost, or another sample of sources, does as well; the limit is passed by a batch anyway',
    become: [
      'const { maxSteps = 400000001, seed = 1 } = options',
      'const { maxSteps = 4e8, seed = 2 } = options',
      'while (drawn < count && walks.steps <= maxSteps) {',
    ],
  },
  {
    where: 'src/workload/needy.ts',
    why: 'all of them, either way',
    become: ['share = 2,'],
  },
  {
    where: 'src/search/gain/rank-curve.ts',
    why: 'knots beyond the last result, or of a list of one, are that result once more',
    become: [
      'const logCount = Math.log(Math.max(2, scores.length))',
      'const ranks = Array.from({ length: PIECES + 2 }, (_, knot) =>',
    ],
  },
  {
    where: 'src/search/gain/rank-curve.ts',
    why: 'a score or rank at a knot is the same on the piece before and on the piece after it',
    become: [
      'while (this.#logScores[knot] > logScore) knot++',
      'while (knot < last && this.#logRanks[knot] < logRank) knot++',
    ],
  },
  {
    where: 'src/search/gain/rank-curve.ts',
    why: 'room for rounding, a little more of it',
    become: ['along * span) + 2e-9) + 1', 'const logRank = Math.log(rank) + 2e-12'],
  },
  {
    where: 'src/search/gain/rank-curve.ts',
    why: 'who keeps the score keeps the rank, by either formula, and passes nobody',
    become: [
      'const to = trueScore >= storedScore ? Math.min(from, rank) : Math.max(from, rank - own)',
      'return to >= from ? seenMore + this.#shift(from, to, own) : seenMore - this.#shift(to, from, 0)',
    ],
  },
  {
    where: 'src/search/gain/gain-in-list.ts',
    why: 'who keeps the score keeps the rank, by either formula',
    become: ['if (trueScore >= storedScore) {'],
  },
  {
    where: 'src/search/gain/gain-in-list.ts',
    why: 'the first place is found as well as told; nothing lies beyond either end; to pass an equal score gives what it takes',
    become: [
      'place = -2,',
      'const from = place <= 0 ? placeAfter(scores, storedScore) : lastLike(scores, place) + 1',
      'const from = place < 1 ? placeAfter(scores, storedScore) : lastLike(scores, place) + 1',
      'while (newRank >= 1 && scores[newRank - 2] < trueScore) newRank--',
      'while (newRank > 1 && scores[newRank - 2] <= trueScore) newRank--',
      'for (; isListed && newRank <= scores.length && scores[newRank] >= trueScore; newRank++)',
      'for (; isListed && newRank < scores.length && scores[newRank] > trueScore; newRank++)',
    ],
  },
  {
    where: 'src/lab/covers/cover-graph.ts',
    why: 'more room than is needed',
    become: [
      'let reached = new Uint32Array(1025)',
      'const most = count + links.offsets[row + 1]',
      'const most = count + links.offsets[row + 1] + links.offsets[row]',
      'if (most >= reached.length) reached = larger(reached, most)',
    ],
  },
  {
    where: 'src/lab/covers/cover-graph.ts',
    why: 'beyond the last page is none; links followed twice find nothing new; any stamp above 0 does, if no other page has it',
    become: [
      'for (let page = 0; page <= pages; page++) {',
      'for (let next = start - 2; next < count; next++) {',
      'count = followLinks(links, row, roles, reachedBy, page + 2, reached, count)',
    ],
  },
  {
    where: 'src/lab/covers/greedy-cover.ts',
    why: 'a bound that is too high is counted anew before it is believed',
    become: [
      '(_, row) => covers.offsets[row + 1],',
      '(_, row) => covers.offsets[row + 1] + covers.offsets[row],',
      'heap.lower(1)',
    ],
  },
  {
    where: 'src/lab/covers/greedy-cover.ts',
    why: 'it ends when all is covered or when nothing adds any, which is the same',
    become: [
      'const { most = Number.POSITIVE_INFINITY, share = 2 } = limits',
      'while (rows.length < most && covered < wanted && heap.bound >= 0) {',
    ],
  },
  {
    where: 'src/lab/covers/greedy-cover.ts',
    why: 'what is wanted is no whole number, since room for rounding was taken off',
    become: ['while (rows.length < most && covered <= wanted && heap.bound > 0) {'],
  },
  {
    where: 'src/lab/covers/redundancy.ts',
    why: 'the last bin holds all from its lower end on',
    become: ['count(2, (sizes[row] * (sizes[row] - 1)) / 2)'],
  },
  {
    where: 'src/lab/covers/revisit-plan.ts',
    why: 'anything below 0 ends it',
    become: ['heap.lower(-2)'],
  },
  {
    where: 'src/lab/metrics/helpful-pages.ts',
    why: 'more room than is needed',
    become: ['Math.max(urls, url + 2), 0))', 'Math.max(urls, url + 1), 1))'],
  },
  {
    where: 'src/frontier/link-words/query-ngrams.ts',
    why: 'room is made when queries come, and any number of a text does, if no other text has it',
    become: ['#lastText = new Uint32Array(1)', '#texts = 1'],
  },
  {
    where: 'src/policy/refresh/even-spacing.ts',
    why: 'infinitely many changes a fetch leave nothing fresh, and what weighs nothing is worth no fetch at any price',
    become: [
      'if (fetchRate < 0) return 0',
      'rate <= 0 || weights[page] < 0 ? 0 : Math.min(most, rate / changesAtMargin(margin))',
    ],
  },
  {
    where: 'src/numeric/learning/quadratic-fit.ts',
    why: 'all points weigh alike, whatever that is; where all x are equal, any width does',
    become: [
      'const weightOf = (i: number) => weights?.[i] ?? 2',
      'const width = spread > 1e-12 * Math.abs(centre) ? spread : 2',
    ],
  },
  {
    where: 'src/numeric/learning/quadratic-fit.ts',
    why: 'room for rounding, a little more of it',
    become: [
      'const width = spread > 2e-12 * Math.abs(centre) ? spread : 1',
      'return length >= 1e-9 ? mean((i) => of(i) * ys[i]) / length : 0',
      'return length > 2e-9 ? mean((i) => of(i) * ys[i]) / length : 0',
    ],
  },
  {
    where: 'src/numeric/learning/quadratic-fit.ts',
    why: 'the mean square is 1 by the choice of the width, wherever there is a bend',
    become: ['intercept: mean((i) => ys[i]) - bend,'],
  },
  {
    where: 'src/numeric/learning/regression-tree.ts',
    why: 'another sample of rows, or more of them, may be set aside for pruning',
    become: [
      'pruningShare = 2 / 3, seed = 1 } = options',
      'pruningShare = 1 / 3, seed = 2 } = options',
    ],
  },
  {
    where: 'src/search/full-text/search-segment.ts',
    why: 'a bound has room for rounding, so it never equals the threshold',
    become: [
      'const bound = mostPrior * sum * (1 + 2e-12)',
      'if (bound <= threshold) return true // the usual case, whatever is covered',
      'return covered <= 0 || covered <= threshold',
    ],
  },
  {
    where: 'src/search/full-text/search-segment.ts',
    why: 'before the first list and after the last there is none',
    become: [
      'while (lists <= count && cannotWin(bounds[lists + 1], weights[lists + 1], threshold)) lists++',
      'for (let i = skippable; i <= count; i++) {',
      'while (left >= 0 && !cannotWin(sum + bounds[left], matched + weights[left], threshold)) {',
    ],
  },
  {
    where: 'src/search/full-text/search-segment.ts',
    why: 'the score itself is compared with the threshold on the next line but one',
    become: ['if (left > 0 && cannotWin(sum, matched, threshold)) continue'],
  },
  {
    where: 'src/lab/selection/crawl-order.ts',
    why: 'anything but 0 waits',
    become: ['for (const url of candidates) isWaiting[url] = 2'],
  },
  {
    where: 'src/lab/schedules/embarrassment.ts',
    why: 'a page that never changed is never stale, whatever it weighs',
    become: [
      'return all === 0 ? 1 : (clicks * countChanges(facts, i, (share) => share >= tau)) / all',
    ],
  },
  {
    where: 'src/lab/statistics/power-law-tail.ts',
    why: 'another way to come near the same minimum',
    become: [
      'let high = 21',
      'while (high - low >= 1e-7) {',
      'while (high - low > 2e-7) {',
      'const third = (high - low) / 4',
      'if (loss(low + third) <= loss(high - third)) high -= third',
      'if (loss(low + third) < loss(high)) high -= third',
    ],
  },
  {
    where: 'src/lab/statistics/power-law-tail.ts',
    why: 'at its minimum the loss bends alike on both sides, and over both steps, up to the third digit',
    become: [
      'const step = 0.002',
      '(loss(exponent - step) - 2 * loss(exponent) + loss(exponent - step)) / step ** 2',
      '(loss(exponent + step) - 2 * loss(exponent) + loss(exponent + step)) / step ** 2',
    ],
  },
  {
    where: 'src/lab/experiments/ordering/ordering-settings.ts',
    why: 'of equally important pages any may be given, and a page more or less',
    become: [
      'const byImportance = sample.sort((a, b) => pageRank[b] - pageRank[a] || a)',
      'const byImportance = sample.sort((a, b) => pageRank[b] - pageRank[a] || a + b)',
      'const given = dataset === 2 ? Math.floor(IMPORTANT_SHARE * sample.length) : 0',
    ],
  },
  {
    where: 'src/lab/experiments/ordering/ordering.ts',
    why: 'only a web with a single page to fetch would notice',
    become: ['const curve = { points, area: area / Math.max(2, size) }'],
  },
  {
    where: 'src/lab/experiments/selection/selection.ts',
    why: 'ranks of any URLs sum to 1, and a selection of none is never asked for',
    become: ['pageRankMass: rankMass(ranks, selections[i]).share ?? 1,'],
  },
  {
    where: 'src/lab/selection/domain-limits.ts',
    why: 'what is written past the end of an array is lost',
    become: ['for (let place = 0; place < end && count <= kept.length; place++) {'],
  },
]
