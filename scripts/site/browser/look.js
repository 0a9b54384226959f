// Before the first paint, so that a chosen theme does not flash.
const look = localStorage.getItem('look');
if (look) document.documentElement.dataset.look = look;
