/** Shapes of every mark, once per page. Filled: a fault of its own. `-o`, hollow: explained by another. */
export function Sprite() {
  return (
    <svg className="vh" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V4" stroke="var(--hatch)" strokeWidth="1.4" />
        </pattern>
        <symbol id="m-healthy" viewBox="0 0 16 16">
          <path d="M4 8.5 7 11.5 12 5" fill="none" stroke="currentColor" strokeWidth="1.75" />
        </symbol>
        <symbol id="m-degraded" viewBox="0 0 16 16">
          <path d="M8 1 15.5 14.5H.5z" fill="currentColor" />
          <path d="M8 5.5v4.5M8 11.3v1.7" stroke="var(--paper)" strokeWidth="1.75" />
        </symbol>
        <symbol id="m-unhealthy" viewBox="0 0 16 16">
          <path d="M5 .75h6L15.25 5v6L11 15.25H5L.75 11V5z" fill="currentColor" />
          <path d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" stroke="var(--paper)" strokeWidth="2" />
        </symbol>
        <symbol id="m-unknown" viewBox="0 0 16 16">
          <path
            d="M8 .8 15.2 8 8 15.2.8 8z"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.3"
            strokeDasharray="4.8 1 3.4 1"
            strokeDashoffset="2.4"
          />
          <path d="M6.3 6.7c.1-2 3.4-1.9 3.4 0C9.7 8 8 8 8 9.3M8 10.3v1.4" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </symbol>
        <symbol id="m-degraded-o" viewBox="0 0 16 16">
          <path d="M8 2.6 14 13.6H2z" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </symbol>
        <symbol id="m-unhealthy-o" viewBox="0 0 16 16">
          <path d="M5.4 1.7h5.2l3.7 3.7v5.2l-3.7 3.7H5.4l-3.7-3.7V5.4z" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </symbol>
        <symbol id="m-maintenance" viewBox="0 0 16 16">
          <path d="M2 2h12v12H2z" fill="none" stroke="currentColor" strokeWidth="1.4" />
          <path d="M6 5v6M10 5v6" stroke="currentColor" strokeWidth="1.75" />
        </symbol>
        <symbol id="g-at-risk" viewBox="0 0 12 12">
          <path d="M1 6h6M4.5 3 7.5 6l-3 3M10.5 1.5v9" fill="none" stroke="currentColor" strokeWidth="1.3" />
        </symbol>
        <symbol id="g-flapping" viewBox="0 0 12 12">
          <path d="M1 8V4h2.5v4H6V4h2.5v4H11V4" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </symbol>
        <symbol id="g-pending" viewBox="0 0 12 12">
          <path d="M1.5 10.5h9M1.5 10.5v-3h3v-3h3v-3h3" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </symbol>
        <symbol id="g-stale" viewBox="0 0 12 12">
          <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.2" strokeDasharray="2 1.2" />
          <path d="M6 3v3.2l2 1.3" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </symbol>
        <symbol id="g-taken" viewBox="0 0 12 12">
          <path d="M2.5 11.5V1h7L7.8 3.7 9.5 6.4h-7" fill="none" stroke="currentColor" strokeWidth="1.3" />
        </symbol>
        <symbol id="g-work" viewBox="0 0 12 12">
          <path d="M1.2 1.2h9.6v9.6H1.2zM4.4 3.8v4.4M7.6 3.8v4.4" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </symbol>
        <symbol id="g-disputed" viewBox="0 0 12 12">
          <path d="M1 4.2h10M1 7.8h10M8.6 1 3.4 11" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </symbol>
      </defs>
    </svg>
  );
}
