/**
 * What the bench sees inside a page: when something is painted, tasks and frames that took too long. Put there by the
 * debugger before the page's own scripts.
 */
{
  /** A task after the next frame: by then the browser has drawn what the document holds now. */
  const painted = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => then(performance.now())
      port2.postMessage(0)
    })

  let stop = () => {}

  /** Resolves with the time at which `test` holds and is painted. */
  const until = (test) => {
    stop()
    const { promise, resolve } = Promise.withResolvers()
    let isOver = false
    const look = () => {
      if (isOver || !test()) return
      isOver = true
      observer.disconnect()
      painted(resolve)
    }
    const observer = new MutationObserver(look)
    const all = { subtree: true, childList: true, characterData: true, attributes: true }
    observer.observe(document, all)
    stop = () => observer.disconnect()
    look()
    return promise
  }

  const all = (selector) => [...document.querySelectorAll(selector)]
  let expected
  let inputAt = 0
  for (const name of ['pointerdown', 'keydown', 'change'])
    addEventListener(name, ({ timeStamp }) => (inputAt = timeStamp), { capture: true })

  const longTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })

  const frames = []
  let framesOn = false
  const frame = (now) => {
    frames.push(now)
    if (framesOn) requestAnimationFrame(frame)
  }

  window.bench = {
    /** The fleet's rows; resolves with ms since the navigation began. */
    drawn: until(() => document.querySelector('.row.session') !== null),
    contentful: () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    /** From now on; `seen` resolves with the wall clock when it is painted. */
    expect: (selector, text) => {
      expected = until(() => all(selector).some((one) => one.textContent.includes(text))).then(() =>
        Date.now(),
      )
    },
    seen: () => expected,
    /** As `expect`, of lines of the journal between two sequences, or of any selector; `took` is since the last input. */
    expectLines: (low, high) => {
      expected = until(() => {
        const box = document.querySelector('.events-box')
        const lines = all('.event').map(({ id }) => Number(id.slice('event-'.length)))
        return box?.ariaBusy !== 'true' && lines.length > 0 && lines.every((seq) => seq >= low && seq <= high)
      }).then((at) => at - inputAt)
    },
    expectThere: (selector) => {
      expected = until(() => document.querySelector(selector) !== null).then((at) => at - inputAt)
    },
    /** After the view was told another filter: all its lines, or that there are none. Since now. */
    expectFiltered: (count) => {
      const began = performance.now()
      const isThere = () =>
        location.search !== '' &&
        (count === 0 ? document.querySelector('.journal .empty') !== null : all('.event').length === count)
      expected = until(isThere).then((at) => at - began)
    },
    took: () => expected,
    watchFrames: () => {
      longTasks.length = frames.length = 0
      framesOn = true
      requestAnimationFrame(frame)
    },
    framesSeen: () => {
      framesOn = false
      return { longTasks, gaps: frames.slice(1).map((at, n) => at - frames[n]) }
    },
  }
}
